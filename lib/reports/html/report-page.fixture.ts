import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'
import type { CommandOutcome } from '../../cli/command.fixture.ts'
import { enclosedRun } from '../../cli/enclosed-run.fixture.ts'

const programs = ['chromium', 'chromium-browser', 'google-chrome']

const launchArguments = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']

/** Returns the path in PLUMBLINE_CHROMIUM or of the first installed program. */
function chromiumPath(): string {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const candidates = folders.flatMap((folder) => programs.map((program) => join(folder, program)))
  const found = process.env.PLUMBLINE_CHROMIUM ?? candidates.find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new Error(
    'The browser tests need Chromium: install the package chromium (apt-get install chromium), or set PLUMBLINE_CHROMIUM to the path of the program.',
  )
}

export function reportPage({ directory }: CommandOutcome): string {
  return readFileSync(join(directory, 'reports', 'report.html'), 'utf8')
}

let failed: Promise<{ outcome: CommandOutcome; page: string }> | undefined

/** Returns a run of two sections with two failures, shared by all files of a Vitest worker, and its page. */
export function failedRun() {
  const requirement = ['code-hosting/pagination', 'code-hosting/settings']
  failed ??= enclosedRun({}, { fault: 'limit-not-lowered', requirement }).then((outcome) => {
    return { outcome, page: reportPage(outcome) }
  })
  return failed
}

let launched: Promise<Browser> | undefined

/** Browser of all files of a Vitest worker; ends with the worker. */
function browserInCommon(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: chromiumPath(), args: launchArguments })
  return launched
}

/** Browser for the tests of a file. Closes windows after each test and servers after the file. */
export class TestBrowser {
  readonly #contexts: BrowserContext[] = []
  readonly #servers: Server[] = []

  constructor() {
    afterEach(async () => {
      await Promise.all(this.#contexts.splice(0).map((context) => context.close()))
    })
    afterAll(() => {
      for (const server of this.#servers) {
        server.close()
        server.closeAllConnections()
      }
    })
  }

  /** Serves a page with additional header fields, like an artifact store, and returns its URL. */
  async serve(content: string, headers: Record<string, string> = {}): Promise<string> {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers })
      response.end(content)
    })
    this.#servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  /**
   * Opens a URL in a new window. Returns the page, the URLs of all requests, starting with the page, and
   * messages of errors, the console, scripts and dialogs.
   */
  async open(url: string, options: BrowserContextOptions = {}) {
    const browser = await browserInCommon()
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    })
    this.#contexts.push(context)
    const page = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.goto(url)
    return { page, requests, complaints }
  }
}

export async function unfold(page: Page): Promise<void> {
  await page.evaluate(
    "document.querySelectorAll('details').forEach((fold) => { fold.open = true })",
  )
}

export function styleOf(element: Locator, property: string): Promise<string> {
  return element.evaluate(
    (it, name) => it.ownerDocument.defaultView.getComputedStyle(it).getPropertyValue(name),
    property,
  )
}

/**
 * Returns the axe violations of visible content, one per line. Removes folded content first, which axe
 * skips but which takes six times as long as the rest.
 *
 * @param rules default: all, and the size of targets
 */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(
    "document.querySelectorAll('details:not([open]) > :not(summary)').forEach((it) => it.remove())",
  )
  await page.evaluate(axe.source)
  const options = {
    rules: rules === undefined ? { 'target-size': { enabled: true } } : {},
    ...(rules !== undefined && { runOnly: rules }),
    resultTypes: ['violations'],
  }
  const { violations, passes } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(options)})`,
  )
  expect(passes.map(({ id }) => id)).toContain('color-contrast')
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
