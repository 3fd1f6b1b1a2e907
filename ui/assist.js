// What a page cannot do from the server: bring what was chosen into view, leave a field on Enter, and hear
// which link of a transcript or a list was clicked.
export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.host ?? parentElement;
  if (data?.links) reportLinks(host, setTriggerValue);
  if (data?.scroll) scroll(host, data.scroll, data.token);
  if (data?.leave) leaveOnEnter(host, data.leave);
  if (data?.go) go(host, data.go, data.token);
}

// Once for each choice: whoever reads on must not be pulled back.
function scroll(host, selector, token) {
  if (host.dataset.done === token) return;
  let tries = 0;
  const look = () => {
    const target = document.querySelector(selector);
    if (target) {
      host.dataset.done = token;
      const far = Math.abs(target.getBoundingClientRect().top) > 3 * window.innerHeight; // it would take seconds
      const calm = far || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      target.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    } else if (tries++ < 40) {
      window.setTimeout(look, 50); // the transcript is drawn after this component
    }
  };
  look();
}

// As if the address had been in the browser's history: Streamlit then changes the page without a reload.
function go(host, address, token) {
  if (host.dataset.done === String(token)) return;
  host.dataset.done = String(token);
  window.history.pushState({}, "", new URL(address, window.location.href));
  window.dispatchEvent(new PopStateEvent("popstate"));
}

// Enter stores a note; the next key is an answer again, not part of the note.
function leaveOnEnter(host, selector) {
  if (host.dataset.listening) return;
  host.dataset.listening = "1";
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key === "Enter" && field instanceof HTMLElement && field.matches(selector)) {
      window.setTimeout(() => field.blur(), 0);
    }
  });
}

// A click on a link, or Enter on it: the page answers by showing what it leads to.
function reportLinks(host, report) {
  host.report = report;
  if (host.dataset.listening) return;
  host.dataset.listening = "1";
  const chosen = (event) => {
    if (!host.isConnected) {
      document.removeEventListener("click", chosen);
      document.removeEventListener("keydown", chosen);
      return;
    }
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    const link = event.target instanceof Element ? event.target.closest("[data-jump], [data-open], [data-order]") : null;
    const marking = event.type === "click" && window.getSelection()?.toString(); // words to copy
    if (!link || marking) return;
    event.preventDefault();
    host.report("jump", { ...link.dataset });
  };
  document.addEventListener("click", chosen);
  document.addEventListener("keydown", chosen);
}
