extension HtmlResource {
  /// The script of all pages: a search in threads and frames, buttons that copy, and in the table
  /// of groups the choice of versions and the order. A page is complete without it.
  static let script = HtmlResource(
    tag: .script,
    text: """
      (() => {
        "use strict";
        const find = (name) => document.getElementById(name);
        const all = (selector, element = document) => [...element.querySelectorAll(selector)];
        const found = find("found");
        const tools = find("tools");
        if (!found || !tools) return;
        tools.hidden = false;

        const button = (text, action) => {
          const element = document.createElement("button");
          element.type = "button";
          element.textContent = text;
          element.addEventListener("click", action);
          return element;
        };

        // The table of groups: choice of versions, and columns to sort by.
        const table = document.querySelector("table.groups");
        if (table) {
          const body = table.tBodies[0];
          const groups = [...body.rows];
          const choices = [["v", find("versions")], ["s", find("systems")]].filter((each) => each[1]);
          const choose = () => {
            let count = 0;
            for (const row of groups) {
              const fits = choices.every(([key, choice]) =>
                !choice.value || row.dataset[key].split(" ").includes(choice.value));
              if (row.hidden === fits) row.hidden = !fits;
              if (fits) count += 1;
            }
            found.textContent = `${count} of ${groups.length} groups`;
          };
          for (const [, choice] of choices) choice.addEventListener("change", choose);
          // The number in a cell, or the last day.
          const text = (row, column) => row.cells[column]?.textContent.match(
            column === 4 ? /[-\\d]+\\s*$/ : /\\d+/)?.[0] ?? "";
          const newest = (row, key) => parseInt(row.dataset[key] || "99", 10);
          // What each column is sorted by, and whether the greatest comes first.
          const columns = [
            [(row) => row.cells[0].textContent, false], [(row) => parseInt(text(row, 1), 10), true], null,
            [(row) => parseInt(text(row, 3) || "0", 10), true], [(row) => text(row, 4), true],
            [(row) => newest(row, "v"), false], [(row) => newest(row, "s"), false],
          ];
          columns.forEach((order, column) => {
            const heading = table.tHead.rows[0].cells[column];
            if (!order || !heading) return;
            const [key, isDescending] = order;
            const sorter = button(heading.textContent, () => {
              const sorted = groups.map((row) => ({ row, key: key(row) })).sort((one, other) =>
                (one.key < other.key ? -1 : one.key > other.key ? 1 : 0) * (isDescending ? -1 : 1));
              body.append(...sorted.map((each) => each.row));
              for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
              heading.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
            });
            heading.replaceChildren(sorter);
          });
        }

        // Reports: search and copying.
        const box = find("filter");
        if (!box) return;
        const threads = all("details.thread");
        const folds = all("details.thread, details.again").map(
          (element) => ({ element, wasOpen: element.open }));
        const rows = (thread) => all(".frames > li", thread);
        const frames = (count) => count === 1 ? "1 frame" : `${count} frames`;

        let isFiltered = false;
        const filter = () => {
          const words = box.value.toLowerCase().split(/\\s+/).filter((word) => word);
          const fit = (text) => words.every((word) => text.toLowerCase().includes(word));
          const starts = words.length > 0 && !isFiltered;
          const ends = words.length === 0 && isFiltered;
          let count = 0;
          for (const thread of threads) {
            // A thread whose name fits is shown with all its frames.
            const isNamed = words.length > 0
              && fit(all("b, code:not(.detail)", thread.firstElementChild)
                .map((part) => part.textContent).join(" "));
            for (const row of rows(thread)) {
              const fits = isNamed || words.length === 0 || fit(row.textContent);
              if (row.hidden === fits) row.hidden = !fits;
              if (fits) count += 1;
            }
          }
          for (const fold of folds) {
            if (starts) fold.wasOpen = fold.element.open;
            const hides = words.length > 0
              && !fold.element.querySelector(".frames > li:not([hidden])");
            if (fold.element.hidden !== hides) fold.element.hidden = hides;
            if (words.length > 0) fold.element.open = !hides;
            if (ends) fold.element.open = fold.wasOpen;
          }
          isFiltered = words.length > 0;
          found.textContent = isFiltered ? `${frames(count)} found` : "";
        };
        let timer = 0;
        box.addEventListener("input", () => {
          clearTimeout(timer);
          timer = setTimeout(filter, 120);
        });
        box.addEventListener("keydown", (event) => {
          if (event.key !== "Escape") return;
          box.value = "";
          filter();
        });

        const line = (row) => [...row.children]
          .filter((part) => part.localName !== "pre" && part.localName !== "button")
          .map((part) => part.textContent)
          .join("  ");
        const shown = (thread) => rows(thread).filter((row) => !row.hidden).map(line);
        const copy = async (text, what) => {
          try {
            await navigator.clipboard.writeText(text);
            found.textContent = `${what} copied`;
          } catch {
            found.textContent = "The browser does not allow copying";
          }
        };

        // A frame is copied with the button in its row. Only one of a list is reached with Tab; the
        // arrows lead to the others.
        const addCopiers = (thread) => {
          const list = rows(thread);
          if (list.length === 0 || list[0].querySelector("button")) return;
          const copiers = list.map((row, index) => {
            const copier = button("", () => copy(line(row) + "\\n", "1 frame"));
            copier.className = "copy";
            copier.setAttribute("aria-label", "Copy frame");
            copier.tabIndex = index === 0 ? 0 : -1;
            copier.addEventListener("keydown", (event) => {
              const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
              if (!step) return;
              event.preventDefault();
              let next = index + step;
              while (list[next] && (list[next].hidden || !copiers[next].checkVisibility())) next += step;
              if (!copiers[next]) return;
              for (const other of copiers) other.tabIndex = -1;
              copiers[next].tabIndex = 0;
              copiers[next].focus();
            });
            row.append(copier);
            return copier;
          });
        };

        // Text of a report is code in Markdown, so nothing in it becomes a link or HTML.
        const fence = (text, least) => "`".repeat(
          Math.max(least, ...(text.match(/`+/g) ?? []).map((run) => run.length + 1)));
        const span = (text) => {
          const mark = fence(text, 1);
          return `${mark} ${text.replace(/\\s+/g, " ").replaceAll("|", "\\|")} ${fence}`;
        };
        const block = (lines) => {
          const text = lines.join("\\n");
          const mark = fence(text, 3);
          return `${mark}text\\n${text}\\n${mark}\\n`;
        };
        const markdown = () => {
          const parts = [`## ${span(document.querySelector("h1").textContent)}\\n`];
          for (const headline of all(".headline")) {
            const place = headline.querySelector(".where");
            parts.push(`**${span(headline.querySelector("h2, h3").textContent)}**\\n`
              + (place ? `\\n${span(place.textContent)}\\n` : ""));
            const facts = [];
            let label = "";
            for (const fact of headline.querySelector("dl").children) {
              if (fact.localName === "dt") label = fact.textContent;
              else facts.push(`| ${label} | ${span(fact.textContent)} |`);
            }
            if (facts.length > 0) parts.push(["| fact | value |", "| --- | --- |", ...facts, ""].join("\\n"));
          }
          for (const thread of threads.filter((each) => each.open)) {
            const summary = thread.firstElementChild.cloneNode(true);
            parts.push(`### ${span(summary.textContent.trim())}\\n`, block(shown(thread)));
          }
          return parts.join("\\n");
        };

        for (const element of threads) {
          if (rows(element).length === 0) continue;
          const copier = button("Copy frames", () => {
            const lines = shown(element);
            copy(lines.join("\\n") + "\\n", frames(lines.length));
          });
          element.querySelector("summary").after(copier);
          if (element.open) addCopiers(element);
          element.addEventListener("toggle", () => {
            if (element.open) addCopiers(element);
          });
        }
        if (threads.length > 0) {
          tools.append(button("Copy as Markdown", () => copy(markdown(), "The open threads")));
        }
      })();

      """,
    hash: "rBW7Ru+d/qWLU5k8vXUGDoQ7uxNZWedPBlu3KXWNgpY=")
}
