extension HtmlResource {
  /// The script of all pages: a box that filters frames, and a button at each thread that copies
  /// its frames. A page is complete without it.
  static let script = HtmlResource(
    tag: .script,
    text: """
      (() => {
        "use strict";
        const box = document.getElementById("filter");
        const found = document.getElementById("found");
        const tools = document.getElementById("tools");
        if (!box || !found || !tools) return;
        const threads = [...document.querySelectorAll("details.thread")];
        const folds = [...document.querySelectorAll("details.thread, details.again")].map(
          (element) => ({ element, wasOpen: element.open }));
        const rows = (thread) => thread.querySelectorAll(".frames > li");
        const frames = (count) => count === 1 ? "1 frame" : `${count} frames`;

        let isFiltered = false;
        const filter = () => {
          const words = box.value.toLowerCase().split(/\\s+/).filter((word) => word);
          const starts = words.length > 0 && !isFiltered;
          const ends = words.length === 0 && isFiltered;
          let count = 0;
          for (const thread of threads) {
            for (const row of rows(thread)) {
              const text = words.length > 0 ? row.textContent.toLowerCase() : "";
              const fits = words.every((word) => text.includes(word));
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
          .filter((part) => part.localName !== "pre")
          .map((part) => part.textContent)
          .join("  ");
        const copy = async (thread) => {
          const lines = [...rows(thread)].filter((row) => !row.hidden).map(line);
          try {
            await navigator.clipboard.writeText(lines.join("\\n") + "\\n");
            found.textContent = `${frames(lines.length)} copied`;
          } catch {
            found.textContent = "The browser does not allow copying";
          }
        };
        for (const element of threads) {
          if (rows(element).length === 0) continue;
          const button = document.createElement("button");
          button.type = "button";
          button.textContent = "Copy frames";
          button.addEventListener("click", () => copy(element));
          element.querySelector("summary").after(button);
        }
        tools.hidden = false;
      })();

      """,
    hash: "MlJTXagb39bGKb1I1JhPDkPrWsgpSf9g3OjS3hufVVM=")
}
