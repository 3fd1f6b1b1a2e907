// Two things a page cannot do from the server: bring what was chosen into view, and leave a field on Enter.
export default function ({ data, parentElement }) {
  const host = parentElement.host ?? parentElement;
  if (data?.scroll) scroll(host, data.scroll, data.token);
  if (data?.leave) leaveOnEnter(host, data.leave);
}

// Once for each choice: whoever reads on must not be pulled back.
function scroll(host, selector, token) {
  if (host.dataset.done === token) return;
  let tries = 0;
  const look = () => {
    const target = document.querySelector(selector);
    if (target) {
      host.dataset.done = token;
      const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      target.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    } else if (tries++ < 40) {
      window.setTimeout(look, 50); // the transcript is drawn after this component
    }
  };
  look();
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
