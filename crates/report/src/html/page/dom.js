'use strict';
// Elements. Texts of others reach the page through `textContent` only, which the function `element` uses.

const byId = id => document.getElementById(id);

// Makes an element: `element('td', {class: 'number'}, 'text', child, …)`. Functions among the properties become
// listeners; what is absent is left out, among properties and children alike, and lists of children may lie in lists.
function element(name, properties, ...children) {
  return filled(document.createElement(name), properties, children);
}

// The same for drawings.
function drawn(name, properties, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), properties, children);
}

function filled(made, properties, children) {
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (isAbsent(value)) continue;
    if (typeof value === 'function') made.addEventListener(key, value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  return refilled(made, children);
}

// Puts children in the place of those that an element has.
function refilled(holder, ...children) {
  holder.replaceChildren(...children.flat(Infinity).filter(child => !isAbsent(child)));
  return holder;
}

const isAbsent = value => value === null || value === undefined || value === false;

const button = (text, pressed, properties) => element('button', {type: 'button', click: pressed, ...properties}, text);

const searchField = (label, changed) =>
  element('input', {
    type: 'search',
    placeholder: label,
    'aria-label': label,
    autocomplete: 'off',
    spellcheck: 'false',
    input: event => changed(event.target.value),
  });

// A group of buttons of which one is pressed.
const choice = (label, options, pick) =>
  element(
    'div',
    {class: 'choice', role: 'group', 'aria-label': label},
    options.map(([value, text]) => button(text, () => pick(value), {'data-value': value})),
  );

function press(group, chosen) {
  for (const one of group.querySelectorAll('button')) one.setAttribute('aria-pressed', String(one.dataset.value === chosen));
}
