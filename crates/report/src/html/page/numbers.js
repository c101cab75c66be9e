// Numbers as people read them: groups of three digits, signs, shares.

const MINUS = '\u2212';

// A figure of a metric; empty if there is none.
function figure(value) {
  if (value === null || value === undefined) return '';
  const text = Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value).toFixed(3);
  const [whole, fraction] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (value < 0 ? MINUS : '') + grouped + (fraction ? `.${fraction}` : '');
}

// A difference, with its sign.
function signed(value) {
  if (value === null || value === undefined) return '';
  return value > 0 ? `+${figure(value)}` : figure(value);
}

// A change in percent, with its sign and three digits, as `numbers::percent` has it.
function percent(value) {
  if (value === null || value === undefined) return '';
  const size = value < 0 && value > -100 ? Math.min(-value, 99.9) : Math.abs(value);
  if (size > 0 && size < 0.0005) return `${value > 0 ? '+' : MINUS}${size.toExponential(0)}%`;
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.0995 ? 2 : size > 0 ? 3 : 0;
  const [whole, fraction] = size.toFixed(digits).split('.');
  const sign = value > 0 ? '+' : value < 0 ? MINUS : '';
  return `${sign}${figure(Number(whole))}${fraction ? `.${fraction}` : ''}%`;
}

// A part of a whole, in percent.
const share = (part, whole) => (whole > 0 ? `${((100 * part) / whole).toFixed(1)}%` : '');

// Change from `before` to `after` in percent; null where it has none.
function change(before, after) {
  if (before === null || after === null || before === undefined || after === undefined) return null;
  return before === after ? 0 : before === 0 ? null : (100 * (after - before)) / before;
}

// Difference of two costs, where an absent one is none.
const difference = (before, after) => (after ?? 0) - (before ?? 0);

// 'worse' or 'better', which is a colour beside the sign; '' for no difference.
const tone = (value, better = 'lower') => (!value ? '' : value > 0 === (better === 'lower') ? 'worse' : 'better');
