// Tables, and what parts of a benchmark have in common.

const cell = (properties, ...children) => element('td', properties, children);
const line = (properties, ...cells) => element('tr', properties, cells);
const section = (title, ...children) => element('section', {}, element('h3', {}, title), children);
const empty = text => element('p', {class: 'empty'}, text);
const remark = text => element('p', {class: 'remark'}, text);
const unseen = text => element('span', {class: 'unseen'}, text);

// The cell of a figure.
const numberCell = text => cell({class: 'number'}, text);

// The cell of a difference.
function differenceCell(value, text = signed(value), better = 'lower') {
  return cell({class: `number ${tone(value, better)}`}, isAbsent(value) ? '' : text);
}

// Heads of a table: of a column of numbers, and of one whose meaning is seen.
const right = title => ({title, class: 'number'});
const silent = title => ({title, silent: true});

// A table of a kind, which is its class, with a label that is not seen. It scrolls by itself where the window is too narrow, which
// keyboards can do as well.
function tableOf(kind, label, heads, ...lines) {
  const cells = heads
    .filter(head => !isAbsent(head))
    .map(head => element('th', {scope: 'col', class: head.class}, head.silent ? unseen(head.title) : (head.title ?? head)));
  const table = element(
    'table',
    {class: kind},
    element('caption', {class: 'unseen'}, label),
    element('thead', {}, line({}, cells)),
    element('tbody', {}, lines),
  );
  return scrolling(label, table);
}

function scrolling(label, table) {
  return element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label}, table);
}

// The head of a column. `order` is 'ascending', 'descending' or 'none'.
function sortingHead(title, isNumber, order, sort) {
  const mark = {ascending: '▲', descending: '▼', none: ''}[order];
  return element(
    'th',
    {scope: 'col', class: isNumber ? 'number' : null, 'aria-sort': order},
    element('button', {type: 'button', click: sort}, title, element('span', {class: 'order', 'aria-hidden': 'true'}, mark)),
  );
}

// Compares two values; missing ones come last whatever the direction is.
function compared(one, other, down) {
  const missing = value => value === null || value === undefined;
  if (missing(one) || missing(other)) return missing(one) - missing(other);
  const order = typeof one === 'string' ? one.localeCompare(other) : one - other;
  return down ? -order : order;
}

// A table of `rows`. A column has `title`, `cell(row)`, which makes a cell, and `value(row)`, by which it is sorted;
// numbers are sorted from the largest, by their size. `first` is the column that it is sorted by at the beginning.
function sortableTable(label, columns, rows, first) {
  const head = element('tr');
  const body = element('tbody');
  const lines = rows.map(row => ({
    row,
    line: element(
      'tr',
      {},
      columns.map(column => column.cell(row)),
    ),
  }));
  let [by, down] = [first, columns[first].number === true];
  const arrange = () => {
    head.replaceChildren(
      ...columns.map((column, i) => {
        const order = i !== by ? 'none' : down ? 'descending' : 'ascending';
        return sortingHead(column.title, column.number, order, () => {
          [by, down] = [i, i === by ? !down : column.number === true];
          arrange();
          head.cells[i].firstChild.focus();
        });
      }),
    );
    lines.sort((a, b) => compared(columns[by].value(a.row), columns[by].value(b.row), down));
    body.append(...lines.map(({line}) => line));
  };
  arrange();
  const table = element('table', {}, element('caption', {class: 'unseen'}, label), element('thead', {}, head), body);
  return {table, lines};
}
