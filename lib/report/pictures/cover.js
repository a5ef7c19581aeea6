// Which traces reach the nodes of a tree, and the traces that would reach the rest.
'use strict';

// Copies a text with a click. Where a page may not do so, the text is chosen for the keys that copy.
function copyButton(words, text) {
  const copy = made('button', words, { type: 'button', class: 'copy' }), shown = made('pre', text, { tabindex: 0 });
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = 'Copied';
    } catch {
      shown.closest('details').open = true;
      getSelection().selectAllChildren(shown);
      copy.textContent = document.execCommand('copy') ? 'Copied' : 'Chosen: copy it with Ctrl+C';
    }
    setTimeout(() => { copy.textContent = words; }, 2000);
  });
  return [copy, made('details', [made('summary', 'Trace'), shown])];
}

// An item of a node: what reaches it, or would.
function itemOf(item, before = []) {
  const content = [made('div', [...before, item.text])];
  if (item.steps) content.push(made('div', item.steps, { class: 'code quiet' }));
  if (item.traces) content.push(made('ul', item.traces.map((name) => made('li', made('code', name)))));
  if (item.trace) content.push(...copyButton('Copy the trace', item.trace));
  return made('div', content, { class: 'item' });
}
function tellItems(node) {
  return (node.covered || []).map((item) => itemOf(item));
}

// All that is not reached, those first that a trace would reach.
function tellMissing() {
  const section = byId('findings'), { nodes } = trees[state.tree];
  const all = nodes.flatMap((node, index) => (['n', 'p', 'u'].includes(node.reached) ? node.covered || [] : []).map((item) => ({ index, item })));
  const missing = all.filter(({ item }) => /: (not |undecided)/.test(item.text));
  if (!nodes.some((node) => node.covered)) return;
  section.hidden = false;
  missing.sort((a, b) => Number(Boolean(b.item.trace)) - Number(Boolean(a.item.trace)));
  section.append(made('h2', missing.length === 0 ? 'All is reached' : 'Not reached'), ...missing.slice(0, 100).map(({ index, item }) => itemOf(item, [linkTo(index, headOf(nodes[index])), ': '])));
  if (missing.length > 100) section.append(made('p', `and ${missing.length - 100} more`, { class: 'quiet' }));
}
