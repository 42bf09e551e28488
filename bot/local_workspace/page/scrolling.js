// A list that follows its end, until the person scrolls away. A last message that is taller than the
// pane is shown from its top: what stands first in an answer must be read first.

import { el } from "./dom.js";

const NEAR = 60;

function end(scroller) {
  const last = scroller.querySelector(".messages")?.lastElementChild;
  if (last && last.offsetHeight > scroller.clientHeight - NEAR) return last.offsetTop - scroller.offsetTop - 10;
  return scroller.scrollHeight - scroller.clientHeight;
}

function atEnd(scroller) {
  return end(scroller) - scroller.scrollTop < NEAR;
}

function settle(scroller) {
  scroller.target = Math.max(0, end(scroller));
  scroller.scrollTop = scroller.target;
  scroller.jump.hidden = true;
}

export function watch(scroller) {
  scroller.following = true;
  scroller.jump = el("button", { type: "button", class: "button small jump", hidden: true, testid: "jump", onclick: () => follow(scroller) }, "New messages ↓");
  scroller.after(scroller.jump);
  scroller.addEventListener("scroll", () => {
    if (Math.abs(scroller.scrollTop - scroller.target) < 4) return;
    scroller.following = atEnd(scroller);
    if (scroller.following) scroller.jump.hidden = true;
  });
  // Pictures that load late, and panes that change their size.
  const sizes = new ResizeObserver(() => scroller.following && settle(scroller));
  sizes.observe(scroller);
  sizes.observe(scroller.querySelector(".messages"));
}

export function follow(scroller) {
  scroller.following = true;
  settle(scroller);
}

// Draws, and stays where the person is: at the end, or where they have scrolled to.
export function drawn(scroller, force, draw) {
  const before = scroller.querySelector(".messages").lastElementChild?.dataset.key;
  draw();
  const after = scroller.querySelector(".messages").lastElementChild?.dataset.key;
  if (force || scroller.following) follow(scroller);
  else if (before !== after) scroller.jump.hidden = false;
}
