// @ts-check
/**
 * The page of a refused request: counts the seconds down until trying again helps, and says when they are over.
 * The seconds are not announced one by one: a reader hears the sentence once, and the end.
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
  // Time as it passes here: a clock that is set meanwhile changes nothing.
  const endsAt = performance.now() + Number(seconds) * 1000;
  const timer = setInterval(show, 250);

  function show() {
    const left = Math.ceil((endsAt - performance.now()) / 1000);
    if (left <= 0) {
      clearInterval(timer);
      note.setAttribute("role", "status");
    }
    say(left > 1 ? text.replace(seconds, String(left)) : ((left === 1 ? last : over) ?? text));
  }

  /** @param {string} said */
  function say(said) {
    if (sentence.textContent !== said) sentence.textContent = said;
  }
}

export {};
