"use strict";
// Everything that a bot or a person wrote enters the page as textContent, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.getElementById("browser");
  const el = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const contradicts = (v) => v.score !== null && v.tau !== null && v.score > v.tau;
  const verdictOf = (q, judge) => q.verdicts.find((v) => v.judge === judge);
  const judges = [...new Set(data.dialogues.flatMap((d) => d.inquiries.flatMap((q) => q.verdicts.map((v) => v.judge))))];
  const state = { speaker: "", tested: "", judge: data.judge, only: false, text: "" };

  const choice = (label, key, options, all) => {
    const box = el("label", "", label);
    const select = el("select");
    if (all) select.append(new Option(all, ""));
    for (const option of options) select.append(new Option(option, option));
    select.value = state[key];
    select.addEventListener("change", () => { state[key] = select.value; refresh(); });
    box.append(select);
    return box;
  };
  const names = (key) => [...new Set(data.dialogues.map((d) => d[key]))].sort();
  const tools = el("div", "tools");
  tools.append(choice("tested", "tested", names("tested"), "all bots"), choice("speaker", "speaker", names("speaker"), "all bots"));
  if (judges.length) tools.append(choice("judge", "judge", judges));
  const search = el("label", "", "text");
  const field = el("input");
  field.type = "search";
  field.addEventListener("input", () => { state.text = field.value.toLowerCase(); refresh(); });
  search.append(field);
  const tick = el("label", "tick");
  const only = el("input");
  only.type = "checkbox";
  only.addEventListener("change", () => { state.only = only.checked; refresh(); });
  tick.append(only, document.createTextNode("contradictions only"));
  tools.append(search, tick);
  const count = el("p", "note");
  const panes = el("div", "panes");
  const list = el("div", "list");
  const chat = el("div", "chat");
  panes.append(list, chat);
  root.append(tools, count, panes);

  const found = (d) => d.inquiries.filter((q) => { const v = verdictOf(q, state.judge); return v && contradicts(v); }).length;
  const fits = (d) =>
    (!state.speaker || d.speaker === state.speaker) && (!state.tested || d.tested === state.tested) &&
    (!state.only || found(d) > 0) &&
    (!state.text || d.messages.some((m) => m.text.toLowerCase().includes(state.text)) ||
      d.inquiries.some((q) => (q.question + " " + (q.answer || "")).toLowerCase().includes(state.text)));

  function refresh() {
    const shown = data.dialogues.filter(fits);
    const part = data.dialogues.length < data.total ? ` (this file holds ${data.dialogues.length} of ${data.total} dialogues, the first of each pair)` : "";
    count.textContent = `${shown.length} dialogues${part}`;
    list.replaceChildren();
    chat.replaceChildren();
    for (const d of shown) {
      const button = el("button");
      button.type = "button";
      button.append(el("span", "", d.tested), el("small", "", ` asked, talking with ${d.speaker} #${d.number + 1}`), el("br"));
      const bad = found(d);
      button.append(el("small", bad ? "bad" : "", `${bad} contradictions in ${d.inquiries.length} inquiries`));
      button.addEventListener("click", () => show(d, button));
      list.append(button);
    }
    if (shown.length) show(shown[0], list.firstChild);
    else chat.append(el("p", "note", "No dialogue fits."));
  }

  function show(d, button) {
    for (const other of list.children) other.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    chat.replaceChildren();
    const lines = d.messages.map((m) => {
      const line = el("div", m.seat === 1 ? "said tested" : "said");
      line.append(el("div", "who", m.seat === 1 ? d.tested : d.speaker), el("div", "what", m.text));
      return line;
    });
    const sources = new Set();
    lines.forEach((line, index) => {
      chat.append(line);
      for (const q of d.inquiries.filter((q) => q.after === index)) {
        const verdict = verdictOf(q, state.judge);
        if (verdict && contradicts(verdict)) sources.add(q.source);
        chat.append(fork(q, lines, d.messages, verdict));
      }
    });
    for (const source of sources) if (lines[source]) lines[source].classList.add("source");
  }

  function fork(q, lines, messages, verdict) {
    const box = el("div", verdict && contradicts(verdict) ? "fork bad" : "fork");
    box.append(el("p", "ask", q.question));
    if (q.reference) box.append(el("p", "reply", `${q.reference} (first time)`));
    box.append(el("p", "reply", q.answer === null ? `(no answer: ${q.reason})` : q.answer));
    for (const v of q.verdicts) {
      const bad = contradicts(v);
      const said = v.score === null ? `${v.judge}: unjudged (${v.reason})` : `${v.judge}: ${v.score.toFixed(2)} ${bad ? "contradiction" : "no contradiction"}`;
      box.append(el("span", v.score === null ? "chip" : bad ? "chip bad" : "chip good", said));
    }
    for (const label of q.labels) {
      const said = Object.entries(label.values).map(([k, v]) => `${k} ${v}`).join(", ");
      box.append(el("span", "chip", `${label.person}: ${said}`));
    }
    box.append(el("div", "facts", `about “${q.entity}” in message ${q.source + 1} · ${q.kind}, distance ${q.distance}`));
    const source = lines[q.source];
    if (source) {
      const what = source.querySelector(".what");
      const text = messages[q.source].text;
      const at = q.entity ? text.indexOf(q.entity) : -1;
      if (at >= 0 && !what.querySelector("mark")) {
        what.replaceChildren(document.createTextNode(text.slice(0, at)), el("mark", "", q.entity), document.createTextNode(text.slice(at + q.entity.length)));
      }
      box.addEventListener("mouseenter", () => source.classList.add("source"));
      box.addEventListener("mouseleave", () => { if (!box.classList.contains("bad")) source.classList.remove("source"); });
    }
    return box;
  }
  refresh();
})();
