import type { BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { referenceEnvironment } from '../../cli/command.fixture.ts'
import { enclosedRun } from '../../cli/enclosed-run.fixture.ts'
import { reportModel } from '../model.ts'
import { reportFixture, resultFixture } from '../report.fixture.ts'
import { pastRunsFixture, reviewedFixture } from '../reviewed-report.fixture.ts'
import { reportHtml } from './report-html.ts'
import { axeViolations, reportPage, styleOf, TestBrowser, unfold } from './report-page.fixture.ts'

const browser = new TestBrowser()

const everything = reviewedFixture()
everything.run.interrupted = true

const deviating = reportFixture({
  results: [resultFixture(), resultFixture({ requirement: 'a/b/c', verdict: 'waived' })],
})

const addresses: Record<string, string> = {}

beforeAll(async () => {
  const { CODE_HOSTING_BASE_URL = '' } = await referenceEnvironment()
  const pages = {
    green: reportPage(await enclosedRun({})),
    belowThreshold: reportPage(await enclosedRun({ CODE_HOSTING_BASE_URL })),
    red: reportPage(await enclosedRun({}, { fault: 'limit-not-lowered' })),
    deviating: reportHtml(reportModel(deviating)),
    full: reportHtml(reportModel(everything, { runs: pastRunsFixture(30) })),
  }
  for (const [name, page] of Object.entries(pages)) addresses[name] = await browser.serve(page)
})

async function open(name: string, options: BrowserContextOptions = {}) {
  const { page } = await browser.open(addresses[name] ?? '', options)
  return page
}

const looks: Record<string, BrowserContextOptions> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  narrow: { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true },
}

describe.each(Object.keys(looks))('accessibility, %s', (look) => {
  it.each(['green', 'belowThreshold', 'deviating', 'red', 'full'])(
    'has nothing that axe objects to in a %s report',
    async (name) => {
      const page = await open(name, looks[look])
      // A small page with every kind of part.
      if (name === 'full') await unfold(page)
      expect(await axeViolations(page)).toEqual([])
    },
  )
})

describe('a telephone', () => {
  it.each(['belowThreshold', 'red', 'full'])(
    'shows a %s report without scrolling sideways or squeezing its text',
    async (name) => {
      const page = await open(name, looks.narrow)
      const width = () => page.evaluate('document.documentElement.scrollWidth')
      expect(await width()).toBe(360)
      await unfold(page)
      expect(await width()).toBe(360)
      const squeezed =
        await page.evaluate(`[...document.querySelectorAll('p, dd, li, figure, .statement')]
      .filter((it) => it.checkVisibility())
      .filter((it) => it.getBoundingClientRect().width < 200)
      .filter((it) => it.getBoundingClientRect().height > 100)
      .map((it) => it.textContent)`)
      expect(squeezed).toEqual([])
    },
  )
})

describe.each(['light', 'dark'])('the verdict, %s', (look) => {
  it('has different text, symbol and color for low coverage and waived failures', async () => {
    const read = async (name: string) => {
      const page = await open(name, looks[look])
      const [heading, icon] = [page.getByRole('heading', { level: 1 }), page.locator('[rel=icon]')]
      return {
        title: await page.title(),
        heading: await heading.textContent(),
        color: await styleOf(heading.locator('.symbol'), 'color'),
        border: await styleOf(page.locator('header.run'), 'border-left-color'),
        icon: await icon.getAttribute('href'),
      }
    }
    const [green, belowThreshold, waived] = [
      await read('green'),
      await read('belowThreshold'),
      await read('deviating'),
    ]
    expect(green).toMatchObject({
      title: expect.stringMatching(/^Conformant: /),
      heading: expect.stringMatching(/^✓ Conformant: /),
    })
    expect(belowThreshold).toMatchObject({
      title: expect.stringMatching(/^No failure .*: 11 of \d+ judged \(\d+%/),
      heading: expect.stringMatching(/^◐ No failure .*: 11 of \d+ judged \(\d+%/),
    })
    expect(waived.heading).toMatch(/^≈ Passed with 1 known deviation: /)
    for (const part of ['color', 'border', 'icon'] as const) {
      expect(new Set([belowThreshold, waived, green].map((one) => one[part])).size).toBe(3)
    }
  })
})

it.each([
  ['light', 'rgb(255, 255, 255)'],
  ['dark', 'rgb(17, 20, 23)'],
])('has %s colours for a reader who prefers those', async (look, color) => {
  const page = await open('full', looks[look])
  expect(await styleOf(page.locator('body'), 'background-color')).toBe(color)
})

it('prints no controls, the rows of folded sections, and failures in one piece', async () => {
  const page = await open('red', { javaScriptEnabled: false, colorScheme: 'dark' })
  const row = page
    .locator('[id="code-hosting/pagination/default-limit"]')
    .locator('..')
    .locator('.statement')
  const isShown = () => row.evaluate((it) => it.checkVisibility({ contentVisibilityAuto: true }))
  expect(await isShown()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await isShown()).toBe(true)
  expect(await page.getByRole('searchbox').count()).toBe(0)
  expect(await page.locator('button.copy:visible').count()).toBe(0)
  expect(await styleOf(page.locator('article').first(), 'break-inside')).toBe('avoid')
  expect(await styleOf(page.locator('body'), 'background-color')).toBe('rgb(255, 255, 255)')
  expect((await page.pdf()).length).toBeGreaterThan(10_000)
})
