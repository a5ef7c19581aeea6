// The search: words of all pages are in search-index.js, which is read when somebody searches. No page asks another site for anything.
'use strict';
const root = document.documentElement.dataset.root;
const form = document.getElementById('search');
const input = form.querySelector('input');
const found = document.getElementById('found');
const MOST = 30;
let loading = null;

function load() {
  loading ??= new Promise((done) => {
    const script = document.createElement('script');
    script.src = root + 'search-index.js';
    script.onload = () => done(window.PAGES);
    document.head.append(script);
  });
  return loading;
}

// How well a page fits: each word must begin a word of the page; words of the title count most. 0: not at all.
function fit([, title, , words], wanted) {
  const name = title.toLowerCase();
  let sum = 0;
  for (const word of wanted) {
    if (name === word) sum += 100;
    else if (name.split(/[^\p{L}\p{N}]+/u).includes(word)) sum += 20;
    else if (name.includes(word)) sum += 8;
    else if ((' ' + words).includes(' ' + word)) sum += 1;
    else return 0;
  }
  return sum;
}

function show(pages, wanted) {
  const fitting = pages.map((page) => [fit(page, wanted), page]).filter(([sum]) => sum > 0).sort(([a], [b]) => b - a);
  const list = document.createElement('ol');
  for (const [, [url, title, kind]] of fitting.slice(0, MOST)) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = root + url;
    link.textContent = title;
    const where = document.createElement('span');
    where.className = 'kind';
    where.textContent = ' ' + kind;
    item.append(link, where);
    list.append(item);
  }
  const count = document.createElement('p');
  count.textContent = fitting.length > MOST ? `${fitting.length} pages; the first ${MOST}:` : `${fitting.length} ${fitting.length === 1 ? 'page' : 'pages'}`;
  found.replaceChildren(count, list);
}

async function search() {
  const wanted = input.value.toLowerCase().split(/[^\p{L}\p{N}_-]+/u).filter(Boolean);
  if (wanted.length === 0) { found.replaceChildren(); return; }
  show(await load(), wanted);
}

form.hidden = false;
form.addEventListener('submit', (event) => { event.preventDefault(); found.querySelector('a')?.click(); });
input.addEventListener('input', search);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.closest('input')) { event.preventDefault(); input.focus(); }
});
