/** The reference's search: shows the entries whose text has all typed words, and their sections. */
const box = document.querySelector<HTMLInputElement>('#search')!;
const entries = [...document.querySelectorAll<HTMLElement>('[data-find]')];
const groups = [...document.querySelectorAll<HTMLElement>('[data-group]')];

box.addEventListener('input', () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.find!.includes(word));
  for (const group of groups) group.hidden = group.querySelector('[data-find]:not([hidden])') === null;
});

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || document.activeElement === box) return;
  event.preventDefault();
  box.focus();
});
