// What scripts for a browser share: a page with its faults, and checks that are counted.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';

export const faults = [];
let checks = 0;
export function check(holds, what) {
  ++checks;
  if (!holds) faults.push(what);
}
export const checked = () => checks;

export const launch = (chromium) => puppeteer.launch({ executablePath: chromium, headless: true, args: ['--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none'] });

// A page from the folder. It must not write errors, open dialogs or ask for anything.
export async function open(browser, name, { theme = 'light', width = 1400, height = 900, touch = false } = {}) {
  const page = await browser.newPage();
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
  const url = 'file://' + process.cwd() + '/' + name + '#theme=' + theme;
  page.on('console', (message) => { if (message.type() === 'error') faults.push(`${name}: ${message.text()}`); });
  page.on('pageerror', (error) => faults.push(`${name}: ${error.message}`));
  page.on('dialog', (dialog) => { faults.push(`${name}: a script of the tree has run`); dialog.dismiss(); });
  page.on('request', (request) => { if (request.url() !== url && request.url() + '#theme=' + theme !== url) faults.push(`${name} asks for ${request.url()}`); });
  await page.goto(url);
  return page;
}

export const count = (page, selector) => page.$$eval(selector, (all) => all.length);
export const text = (page, selector) => page.$eval(selector, (one) => one.textContent);

// Rules of accessibility that the page breaks, a line each.
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
export async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => (await axe.run(document)).violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ') + ' ' + node.html.slice(0, 120)).join(' | ')}`));
}

// Pages look as in `shots`, light and dark, apart from how a machine draws letters: both pictures are made small, and compared. `pages`: by
// name, how many lines or differences further. A name that ends in -phone is of the page on a phone.
export async function compareShots(browser, pages) {
  const blank = await browser.newPage();  // where pictures may be loaded
  for (const [name, further] of Object.entries(pages)) {
    const isPhone = name.endsWith('-phone'), size = isPhone ? { width: 390, height: 844, touch: true } : { width: 1200, height: 760 };
    for (const theme of ['light', 'dark']) {
      const page = await open(browser, `${name.replace('-phone', '')}.html`, { theme, ...size });
      await page.evaluate(() => {
        for (const [key, font] of [['--sans', 'DejaVu Sans'], ['--mono', 'DejaVu Sans Mono']]) document.documentElement.style.setProperty(key, font);
        kWidths.clear();
        picture.draw();
        picture.fit();
      });
      for (let i = 0; i < further; ++i) await page.keyboard.press('j');
      const file = `shots/${name}-${theme}.webp`, shot = await page.screenshot({ type: 'webp', quality: 80 });
      if (!existsSync(file)) {
        writeFileSync(file, shot);
        check(Boolean(process.env.ESPALIER_UPDATE), `there is no ${file}: --update writes it`);
      } else {
        const different = await blank.evaluate(compared, readFileSync(file).toString('base64'), Buffer.from(shot).toString('base64'));
        check(different < 0.02, `${file}: ${(100 * different).toFixed(1)} % of the page look different`);
        if (different >= 0.02) writeFileSync(`shots/${name}-${theme}-now.webp`, shot);
      }
      await page.close();
    }
  }
}
// The part of the small picture that differs by more than letters do.
async function compared(one, other) {
  const kSmaller = 8;
  const pixels = async (bytes) => {
    const image = new Image();
    image.src = 'data:image/webp;base64,' + bytes;
    await image.decode();
    const canvas = new OffscreenCanvas(Math.floor(image.width / kSmaller), Math.floor(image.height / kSmaller)), pen = canvas.getContext('2d');
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return pen.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if (Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2])) > 48) ++count;
  return a.length === b.length ? count / (a.length / 4) : 1;
}

// Prints what does not hold, and ends the script.
export function end(of) {
  for (const fault of faults) console.log(fault);
  console.log(faults.length > 0 ? `${faults.length} faults` : `${checks} checks of ${of} hold`);
  process.exit(faults.length > 0 ? 1 : 0);
}
