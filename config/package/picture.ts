// Creates the picture in README.md, the top of the page of a run with one fault: `npm run picture` after a change of the
// page. PLUMBLINE_CHROMIUM is the path of Chromium if it is not found.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const pathTo = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

const reports = mkdtempSync(join(tmpdir(), 'plumbline-picture-'))
const fault = ['--fault', 'missing-repository-rejected-with-403']
const run = ['--', pathTo('lib/cli/plumbline.js'), 'run', ...fault, '--reports', reports]
spawnSync(process.execPath, run, { stdio: 'inherit' })

const executablePath = process.env.PLUMBLINE_CHROMIUM ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1080, height: 550 } })
await page.goto(pathToFileURL(join(reports, 'report.html')).href)
await page.screenshot({ path: pathTo('config/report.png') })
await browser.close()
rmSync(reports, { recursive: true })
