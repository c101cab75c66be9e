// Part: all functions of a benchmark with what they cost.

function functionsPart(data) {
  if (!data.functions?.length) return [empty('There are no functions: the side has no digest with costs by function.')];
  const rows = data.functions.map(([name, origin, ownOld, ownNew, inclOld, inclNew, callsOld, callsNew, flags]) => ({
    name,
    origin,
    ownOld,
    ownNew,
    own: difference(ownOld, ownNew),
    inclOld,
    inclNew,
    incl: difference(inclOld, inclNew),
    callsOld,
    callsNew,
    flags,
  }));
  // What is inlined everywhere is not called.
  for (const row of rows.filter(({flags}) => flags === 1)) row.callsOld = row.callsNew = null;
  const both = rows.some(row => row.ownOld !== null);
  const number = (title, key) => ({title, number: true, value: row => row[key], cell: row => numberCell(figure(row[key]))});
  const step = (title, key) => ({
    title,
    number: true,
    value: row => (row[key] === null ? null : Math.abs(row[key])),
    cell: row => differenceCell(row[key]),
  });
  const columns = [
    {title: 'Function', value: row => row.name, cell: row => functionCell(data, row)},
    {title: 'Origin', value: row => row.origin, cell: row => element('td', {class: 'dim'}, row.origin)},
    ...(both
      ? [
          step('Δ own', 'own'),
          number('Own old', 'ownOld'),
          number('Own new', 'ownNew'),
          step('Δ inclusive', 'incl'),
          number('Incl. old', 'inclOld'),
          number('Incl. new', 'inclNew'),
          number('Calls old', 'callsOld'),
          number('Calls new', 'callsNew'),
        ]
      : [number('Own', 'ownNew'), number('Inclusive', 'inclNew'), number('Calls', 'callsNew')]),
  ];
  const {table, lines} = sortableTable('Functions', columns, rows, 2);
  table.className = 'functions';
  const find = searchField('Filter functions', text => amend({find: text}));
  const found = element('output', {class: 'dim'});
  const update = () => {
    if (find.value !== state.find) find.value = state.find;
    const sought = state.find.trim().toLowerCase();
    for (const {row, line} of lines) line.hidden = sought !== '' && !isSought(row.name.toLowerCase(), sought);
    found.textContent = `${figure(lines.filter(({line}) => !line.hidden).length)} of ${figure(lines.length)}`;
  };
  return {content: [element('div', {class: 'controls'}, find, found), scrolling('Functions', table)], update};
}

// A name in which the text is, or the short form of the name that the text is.
const isSought = (name, sought) => name.includes(sought) || sought.endsWith(`::${name}`);

function functionCell(data, {name, flags}) {
  const tag = inlinedTag({inlined: flags === 1, partly: flags === 2});
  return cell({}, element('span', {class: 'name'}, name), tag, placesOf(data, name, {class: 'link place jump'}, 'functions'));
}
