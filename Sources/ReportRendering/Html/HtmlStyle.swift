extension HtmlResource {
  /// The style sheet of all pages.
  ///
  /// Each color of text (`--ink…`) is readable on each color of a ground (`--ground…`), in the
  /// light and in the dark: a test computes the contrast of all pairs.
  static let style = HtmlResource(
    tag: .style,
    text: """
      :root{color-scheme:light dark;
      --ground:#ffffff;--ground-soft:#f5f6f8;--ground-site:#fdf1dc;
      --ink:#1b1f24;--ink-soft:#55606c;--ink-link:#0b57a8;--ink-good:#17653a;--ink-bad:#9b2c14;
      --rule:#dfe3e8;--edge:#c2410c;
      --sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
      --mono:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
      @media (prefers-color-scheme:dark){:root{
      --ground:#14171a;--ground-soft:#1d2125;--ground-site:#35290f;
      --ink:#e7eaed;--ink-soft:#a5afba;--ink-link:#86bdff;--ink-good:#80d3a0;--ink-bad:#ffac8c;
      --rule:#31373d;--edge:#f0883e}}
      *{box-sizing:border-box}
      html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
      body{margin:0 auto;max-width:76rem;padding:2.5rem 2rem 4rem;background:var(--ground);
      color:var(--ink);font:1rem/1.6 var(--sans);overflow-wrap:anywhere}
      h1,h2,h3{line-height:1.25;margin:0;font-weight:650;letter-spacing:-.01em}
      h1{font-size:1.9rem}
      h2{font-size:1.2rem;margin-top:2.75rem}
      h3{font-size:1.05rem;margin-top:2rem}
      h1 small,h2 small,h3 small{font-weight:400;color:var(--ink-soft);letter-spacing:0}
      p{margin:.5rem 0}
      a{color:var(--ink-link);text-underline-offset:.15em}
      code,pre,.frames,.registers{font-family:var(--mono);font-size:.8125rem;line-height:1.55}
      pre{margin:.5rem 0;white-space:pre-wrap;tab-size:4}
      code,pre,.fn,.im,.at,bdi{unicode-bidi:isolate}
      :focus-visible{outline:2px solid var(--ink-link);outline-offset:2px;border-radius:3px}
      [hidden]{display:none!important}
      .meta,.detail,.line{color:var(--ink-soft)}
      .meta{margin:.35rem 0 0}
      .line{font-size:.9rem}
      nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:1rem 0 0;padding:0}
      nav ol{margin:1rem 0 0;padding-left:2.2rem}
      nav li{padding:.15rem 0}
      .tools,.tools>div{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem}
      .tools{margin:1.25rem 0 0;font-size:.9rem}
      .tools label{color:var(--ink-soft)}
      .tools input[type=search]{font:inherit;width:16rem;max-width:100%;
      padding:.35rem .6rem;color:var(--ink);background:var(--ground);
      border:1px solid var(--ink-soft);border-radius:6px}
      .tools input[type=checkbox]{margin:0 .4rem 0 0;width:1rem;height:1rem;vertical-align:-.15em}
      .headline{margin-top:1.75rem;padding:1.4rem 1.6rem;background:var(--ground-soft);
      border-left:4px solid var(--edge);border-radius:4px}
      .headline h2,.headline h3{margin:0;font-size:1.3rem}
      .headline .where{margin:.6rem 0 0;font-size:1rem}
      .headline .where code{font-size:.9rem}
      .certainty{color:var(--ink-soft);font-size:.85rem;white-space:nowrap}
      .facts{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.5rem;margin:1.5rem 0 0}
      .facts dt,.fields dt{grid-column:1;color:var(--ink-soft)}
      .facts dd,.fields dd{grid-column:2;margin:0;min-width:0}
      .facts{font-size:.92rem}
      .facts pre{margin:0}
      .fields{display:grid;grid-template-columns:minmax(8rem,16rem) 1fr;gap:.2rem 1.5rem;margin:1rem 0;
      font-size:.9rem}
      .notice{margin:.9rem 0 0;padding:0;list-style:none}
      .notice>li{padding:.55rem 0;border-top:1px solid var(--rule)}
      .command{margin:.4rem 0 0;padding:.5rem .8rem;background:var(--ground-soft);border-radius:6px}
      details{margin:.6rem 0 0;border:1px solid var(--rule);border-radius:8px}
      summary{padding:.55rem .9rem;cursor:pointer;border-radius:8px;list-style-position:outside;
      margin-left:1.3rem}
      summary .detail{font-size:.9rem}
      summary code{font-size:.78rem}
      details>:not(summary){margin-left:.9rem;margin-right:.9rem}
      details>:last-child{margin-bottom:.9rem}
      .thread{position:relative}
      .thread[open]:has(>button)>summary{padding-right:8.5rem}
      button,.tools select{margin:0;padding:.2rem .7rem;font:inherit;font-size:.8rem;color:var(--ink);
      background:var(--ground-soft);border:1px solid var(--ink-soft);border-radius:6px}
      button{cursor:pointer}
      .tools select{max-width:16rem;padding:.35rem .5rem}
      .thread>button{position:absolute;top:.5rem;right:.6rem}
      .copy{margin:0 0 0 1ch;padding:0 .6ch;font-size:.7rem;line-height:1.2;text-indent:0;
      border-radius:4px;opacity:0;-webkit-user-select:none;user-select:none}
      .copy::before{content:"copy"}
      .frames>li:hover>.copy,.copy:focus-visible{opacity:1}
      .frames{list-style:none;margin:.2rem 0 0;padding:0}
      .frames>li{padding:.18rem .5rem .18rem 30ch;text-indent:-29ch;border-radius:4px}
      .again{margin:0;border:0}
      .again>summary{padding:.3rem .5rem;color:var(--ink-soft);font-size:.85rem}
      .again>.frames{margin-left:0;margin-right:0}
      .thread>.again{margin:0 .9rem}
      .no,.im{display:inline-block;vertical-align:top;text-indent:0}
      .no{width:5ch;text-align:right;color:var(--ink-soft)}
      .im{width:22ch;color:var(--ink-soft)}
      .at{color:var(--ink-link)}
      .ad{display:none;color:var(--ink-soft)}
      body:has(#addresses:checked) .ad{display:inline}
      .system .fn,.system .at,.library .at,.registers dt{color:var(--ink-soft)}
      .inlined .fn{margin-left:2ch}
      .tag{color:var(--ink-soft);font-size:.92em}
      .site{background:var(--ground-site)}
      .site .tag,.site .no,.site .im,.site .ad{color:var(--ink)}
      .tree>li{--in:calc(var(--d,0)*1ch);padding-left:calc(10ch + var(--in));
      text-indent:calc(-9ch - var(--in))}
      .tree .no{width:8ch}
      .tree .im{display:inline;width:auto}
      .tree .fn{margin-left:var(--in)}
      .tree .inlined .fn{margin-left:calc(var(--in) + 1ch)}
      .source{margin:.35rem 0 .35rem;padding:.5rem .8rem;text-indent:0;background:var(--ground-soft);
      border-radius:6px}
      .hit{display:inline-block;min-width:100%;background:var(--ground-site)}
      .ch{padding:0 .25em;color:var(--ink-bad);background:var(--ground-soft);border-radius:3px;
      font:.85em/1 var(--mono);white-space:nowrap}
      .good{color:var(--ink-good)}
      .bad{color:var(--ink-bad)}
      .images{list-style:none;margin:.6rem 0 0;padding:0}
      .images>li{padding:.55rem 0;border-top:1px solid var(--rule)}
      .images div{color:var(--ink-soft)}
      .registers{display:grid;grid-template-columns:repeat(auto-fill,minmax(15.5rem,1fr));
      gap:.1rem 1.5rem;margin:.8rem 0 0}
      .registers div{display:flex;gap:1ch}
      .registers dt{min-width:5ch;text-align:right}
      .registers dd{margin:0}
      .chart{display:block;width:100%;fill:var(--edge)}
      .wide{height:3rem;margin:1rem 0 0;border-bottom:1px solid var(--rule)}
      .mini{width:8rem;height:1.5rem;border-bottom:1px solid var(--rule)}
      .axis{display:flex;justify-content:space-between;gap:1rem;margin:.3rem 0 0;color:var(--ink-soft);
      font-size:.85rem}
      .versions{list-style:none;margin:1rem 0 0;padding:0;font-size:.92rem}
      .versions>li{display:grid;grid-template-columns:minmax(6rem,14rem) 1fr 5rem;gap:0 1rem;
      align-items:center;padding:.15rem 0}
      .versions .chart{height:.7rem}
      .groups{width:100%;margin:1rem 0 0;border-collapse:collapse;font-size:.9rem}
      .groups th,.groups td{padding:.6rem .6rem;text-align:left;vertical-align:top;font-weight:400}
      .groups thead th{color:var(--ink-soft);font-size:.85rem;white-space:nowrap}
      .groups thead button{padding:0;font:inherit;color:var(--ink-soft);background:var(--ground);border:0;
      border-radius:3px;text-decoration:underline dotted;text-underline-offset:.2em}
      [aria-sort=ascending] button::after{content:" \\2191"}
      [aria-sort=descending] button::after{content:" \\2193"}
      .groups tbody tr{border-top:1px solid var(--rule)}
      .groups tbody th{padding-left:0;min-width:18rem}
      .groups tbody th,.groups tbody th .detail{line-height:1.45}
      .groups .detail{font-size:.85rem}
      .groups thead th:first-child{padding-left:0}
      .groups td:nth-child(-n+4){white-space:nowrap;font-variant-numeric:tabular-nums}
      .day{white-space:nowrap}
      .cn{display:none;color:var(--ink-soft)}
      footer{margin-top:3.5rem;padding-top:1rem;border-top:1px solid var(--rule);
      color:var(--ink-soft);font-size:.85rem}
      .d1{--d:1}.d2{--d:2}.d3{--d:3}.d4{--d:4}.d5{--d:5}.d6{--d:6}.d7{--d:7}.d8{--d:8}
      .d9{--d:9}.d10{--d:10}.d11{--d:11}.d12{--d:12}.d13{--d:13}.d14{--d:14}.d15{--d:15}
      .d16{--d:16}.d17{--d:17}.d18{--d:18}.d19{--d:19}.d20{--d:20}.d21{--d:21}.d22{--d:22}
      .d23{--d:23}.d24{--d:24}.d25{--d:25}.d26{--d:26}.d27{--d:27}.d28{--d:28}.d29{--d:29}
      .d30{--d:30}.d31{--d:31}.d32{--d:32}.d33{--d:33}.d34{--d:34}.d35{--d:35}.d36{--d:36}
      .d37{--d:37}.d38{--d:38}.d39{--d:39}.d40{--d:40}
      @media (max-width:44rem){
      body{padding:1.5rem 1rem 3rem}
      h1{font-size:1.5rem}
      .headline{padding:1.1rem 1.1rem;margin-left:-.25rem;margin-right:-.25rem}
      .headline h2,.headline h3{font-size:1.15rem}
      .facts,.fields{display:block}
      .facts dt,.fields dt{margin-top:.6rem;font-size:.85rem}
      summary{padding:.55rem .7rem .55rem .3rem}
      details>:not(summary){margin-left:.6rem;margin-right:.5rem}
      .frames>li{padding-left:4ch;text-indent:-4ch;padding-right:0}
      .no{width:3ch}
      .im{display:inline;width:auto}
      .frames:not(.tree) .fn{display:block;text-indent:0}
      .inlined .fn{margin-left:1.5ch}
      .tree>li{--in:calc(var(--d,0)*.4ch);padding-left:calc(6ch + var(--in));
      text-indent:calc(-6ch - var(--in))}
      .tree .no{width:5ch}
      .groups,.groups tbody,.groups tr,.groups th,.groups td{display:block}
      .groups thead{display:none}
      .groups th{padding:.1rem 0}
      .groups td{padding:.1rem 0 .1rem 7rem;text-indent:-7rem}
      .groups tbody tr{padding:.8rem 0}
      .groups tbody th{min-width:0;padding-bottom:.4rem}
      .cn{display:inline-block;min-width:6.7rem;text-indent:0}
      .groups td:only-of-type::before{content:"Reports";display:inline-block;min-width:6.7rem;
      text-indent:0;color:var(--ink-soft)}
      .groups td>.mini{display:inline-block;vertical-align:middle}
      .versions>li{grid-template-columns:7rem 1fr 3rem}
      }
      @media print{
      :root{color-scheme:light;--ground:#ffffff;--ground-soft:#f5f6f8;--ground-site:#fdf1dc;--ink:#1b1f24;
      --ink-soft:#55606c;--ink-link:#0b57a8;--ink-good:#17653a;--ink-bad:#9b2c14;--rule:#dfe3e8;
      --edge:#c2410c}
      body{max-width:none;padding:0;font-size:10pt}
      code,pre,.frames,.registers{font-size:8pt}
      .tools,nav,button{display:none!important}
      .thread[open]:has(>button)>summary{padding-right:.9rem}
      h2,h3,summary{break-after:avoid}
      .frames>li,.images>li,.headline,.registers div{break-inside:avoid}
      .headline,.site,.source,.hit{print-color-adjust:exact;-webkit-print-color-adjust:exact}
      .groups tr,.versions>li{break-inside:avoid}
      .chart{print-color-adjust:exact;-webkit-print-color-adjust:exact}
      a{text-decoration:none}
      }

      """,
    hash: "Pqg6ceQUjyHGh4bGXPfzexHsETbuHJGYa5ibh1FOiI4=")
}
