// usage: shoot.mjs <file or address of a page> <beginning of the names of the pictures>
//
// Leaves four pictures of the first screen of a page: on a desktop and on a phone, light and dark.
// They are made small by pngquant (of the Debian package of that name).

import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {browser, sleep} from './service.mjs';

const heights = {1280: 900, 390: 844};

/** Writes <prefix>-<width>-<scheme>.png for both widths and both schemes. */
export async function shoot(address, prefix, {wait = 500, fullPage = false} = {}) {
  const chromium = await browser();
  for (const colorScheme of ['light', 'dark']) {
    for (const [width, height] of Object.entries(heights)) {
      const context = await chromium.newContext({
        viewport: {width: Number(width), height}, colorScheme,
      });
      const page = await context.newPage();
      const file = `${prefix}-${width}-${colorScheme}.png`;
      await page.goto(address);
      await sleep(wait);
      await page.screenshot({path: file, fullPage});
      execFileSync('pngquant', ['--force', '--output', file, '64', file]);
      await context.close();
    }
  }
  await chromium.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [page, prefix] = process.argv.slice(2);
  await shoot(existsSync(page) ? pathToFileURL(resolve(page)).href : page, prefix);
}
