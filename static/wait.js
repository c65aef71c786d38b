// @ts-check
/**
 * The page of a refused request: counts down the seconds until a retry can succeed, and shows when they are over.
 * Screen readers announce only the end, not each second.
 */
const note = document.getElementById("wait");
const sentence = note?.querySelector("time");
if (note !== null && sentence) countDown(note, sentence);

/**
 * @param {HTMLElement} note
 * @param {HTMLTimeElement} sentence
 */
function countDown(note, sentence) {
  const { seconds = "0", words = "{}" } = note.dataset;
  /** @type {{ last?: string, over?: string }} */
  const { last, over } = JSON.parse(words);
  const text = sentence.textContent ?? "";
  // A monotonic clock: a change of the system time has no effect.
  const endsAt = performance.now() + Number(seconds) * 1000;
  const timer = setInterval(show, 250);

  function show() {
    const left = Math.ceil((endsAt - performance.now()) / 1000);
    if (left <= 0) {
      clearInterval(timer);
      note.setAttribute("role", "status");
    }
    write(left > 1 ? text.replace(seconds, String(left)) : ((left === 1 ? last : over) ?? text));
  }

  /** @param {string} shown */
  function write(shown) {
    if (sentence.textContent !== shown) sentence.textContent = shown;
  }
}

export {};
