// Accessibility of the page: names of controls, contrast of text.

/** Controls without an accessible name. */
export function nameless(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, textarea, [tabindex='0'], [role=slider]")]
      .filter((element) => element.checkVisibility())
      .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length || element.getAttribute("role") === "application"))
      .map((element) => element.outerHTML.slice(0, 90)),
  );
}

/** Texts whose contrast ratio to their background is below 4.5 (WCAG 2), except those of disabled controls. */
export function faint(page) {
  return page.evaluate(() => {
    const numbers = (text) => text.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor;
        if (colour.startsWith("rgb") && (numbers(colour)[3] ?? 1) > 0.9) return numbers(colour);
      }
      return [255, 255, 255];
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const bad = [];
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || element.closest("svg, .labels, .legend-box, option, :disabled")) continue;
      const [a, b] = [light(numbers(getComputedStyle(element).color)), light(ground(element))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) bad.push(`${contrast.toFixed(2)} ${element.className} ${walker.currentNode.textContent.slice(0, 30)}`);
    }
    return bad;
  });
}
