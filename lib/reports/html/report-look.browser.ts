import type { BrowserContextOptions } from 'playwright-core'
import { expect, it } from 'vitest'
import { reportModel } from '../facts.ts'
import { reviewedFixture } from '../reviewed-report.fixture.ts'
import { reportHtml } from './report-html.ts'
import { axeViolations, failedRun, styleOf, TestBrowser, unfold } from './report-page.fixture.ts'

const browser = new TestBrowser()

const everything = reviewedFixture()
everything.run.interrupted = true

async function open(name: string, options: BrowserContextOptions = {}) {
  const content = name === 'red' ? (await failedRun()).page : reportHtml(reportModel(everything))
  return (await browser.open(await browser.serve(content), options)).page
}

const small = { width: 360, height: 740 }

// The other rules of axe do not depend on colors.
const colorRules = ['color-contrast', 'link-in-text-block']

const looks = [
  { colorScheme: 'light', background: 'rgb(255, 255, 255)' },
  { colorScheme: 'dark', background: 'rgb(18, 18, 18)', rules: colorRules },
  { colorScheme: 'light', background: 'rgb(255, 255, 255)', size: small },
] as const

// A run, and a small page with every kind of part.
it.each(['red', 'full'])(
  'axe objects to nothing in a %s report, light, dark or narrow',
  async (name) => {
    const page = await open(name)
    if (name === 'full') await unfold(page)
    for (const { background, colorScheme, ...look } of looks) {
      await page.emulateMedia({ colorScheme })
      if ('size' in look) await page.setViewportSize(look.size)
      expect(await styleOf(page.locator('body'), 'background-color')).toBe(background)
      expect(await axeViolations(page, 'rules' in look ? look.rules : undefined)).toEqual([])
    }
  },
)

it.each(['red', 'full'])(
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
