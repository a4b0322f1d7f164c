import type { BrowserContextOptions } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { referenceEnvironment } from '../../cli/command.fixture.ts'
import { enclosedRun } from '../../cli/enclosed-run.fixture.ts'
import { reportModel } from '../model.ts'
import { reportFixture, resultFixture } from '../report.fixture.ts'
import { reviewedFixture } from '../reviewed-report.fixture.ts'
import { reportHtml } from './report-html.ts'
import {
  axeViolations,
  failedRun,
  reportPage,
  styleOf,
  TestBrowser,
  unfold,
} from './report-page.fixture.ts'

const browser = new TestBrowser()

const everything = reviewedFixture()
everything.run.interrupted = true

const deviating = reportFixture({
  results: [resultFixture(), resultFixture({ requirement: 'a/b/c', verdict: 'waived' })],
})

const kinds: Record<string, () => Promise<string>> = {
  green: async () => reportPage(await enclosedRun({})),
  belowThreshold: async () => {
    const { CODE_HOSTING_BASE_URL = '' } = await referenceEnvironment()
    return reportPage(await enclosedRun({ CODE_HOSTING_BASE_URL }))
  },
  deviating: async () => reportHtml(reportModel(deviating)),
  red: async () => (await failedRun()).page,
  full: async () => reportHtml(reportModel(everything)),
}

const addresses: Record<string, string> = {}

beforeAll(async () => {
  for (const [name, create] of Object.entries(kinds)) {
    addresses[name] = await browser.serve(await create())
  }
})

async function open(name: string, options: BrowserContextOptions = {}) {
  const { page } = await browser.open(addresses[name] ?? '', options)
  return page
}

const small = { width: 360, height: 740 }

// The other rules of axe do not depend on colors.
const colorRules = ['color-contrast', 'link-in-text-block']

const looks = [
  { colorScheme: 'light', background: 'rgb(255, 255, 255)' },
  { colorScheme: 'dark', background: 'rgb(17, 20, 23)', rules: colorRules },
  { colorScheme: 'light', background: 'rgb(255, 255, 255)', size: small },
] as const

it.each(Object.keys(kinds))(
  'axe objects to nothing in a %s report, light, dark or narrow',
  async (name) => {
    const page = await open(name)
    // A small page with every kind of part.
    if (name === 'full') await unfold(page)
    for (const { background, colorScheme, ...look } of looks) {
      await page.emulateMedia({ colorScheme })
      if ('size' in look) await page.setViewportSize(look.size)
      expect(await styleOf(page.locator('body'), 'background-color')).toBe(background)
      expect(await axeViolations(page, 'rules' in look ? look.rules : undefined)).toEqual([])
    }
  },
)

it.each(['belowThreshold', 'red', 'full'])(
  'a telephone shows a %s report without scrolling sideways or squeezing its text',
  async (name) => {
    const page = await open(name, { colorScheme: 'light', viewport: small, hasTouch: true })
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    expect(await width()).toBe(small.width)
    await unfold(page)
    expect(await width()).toBe(small.width)
    const squeezed =
      await page.evaluate(`[...document.querySelectorAll('p, dd, li, figure, .statement')]
      .filter((it) => it.checkVisibility())
      .filter((it) => it.getBoundingClientRect().width < 200)
      .filter((it) => it.getBoundingClientRect().height > 100)
      .map((it) => it.textContent)`)
    expect(squeezed).toEqual([])
  },
)

it('verdicts have different texts, symbols and colors, light and dark', async () => {
  const starts = {
    green: /^(✓ )?Conformant: /,
    belowThreshold: /^(◐ )?No failure .*: 11 of \d+ testable requirements judged \(\d+%/,
    deviating: /^(≈ )?Passed with 1 known deviation: /,
  }
  const seen = { light: new Set<string | null>(), dark: new Set<string | null>() }
  for (const [name, start] of Object.entries(starts)) {
    const page = await open(name)
    const heading = page.getByRole('heading', { level: 1 })
    expect(await heading.textContent()).toMatch(start)
    expect(await page.title()).toMatch(start)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const color = await styleOf(heading.locator('.symbol'), 'color')
      expect(await styleOf(page.locator('header.run'), 'border-left-color')).toBe(color)
      seen[colorScheme].add(color)
    }
  }
  expect([seen.light.size, seen.dark.size]).toEqual([3, 3])
})
