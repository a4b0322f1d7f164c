import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CommandOutcome, plumbline } from '../../cli/command.fixture.ts'
import { pastRunsFixture, reviewedFixture } from '../reviewed-report.fixture.ts'
import { reportHtml } from './report-html.ts'
import { reportPage, reportPath, styleOf, TestBrowser, unfold } from './report-page.fixture.ts'

const browser = new TestBrowser()

const runs = {
  green: ['run'],
  red: ['run', '--fault', 'limit-not-lowered'],
  inconclusive: ['run', '--variant', 'event-types-limited-untold-inconclusive'],
}
const names = Object.keys(runs) as (keyof typeof runs)[]
const outcomes = new Map<string, CommandOutcome>()

beforeAll(async () => {
  await Promise.all(
    names.map(async (name) => {
      outcomes.set(name, await plumbline(runs[name]))
    }),
  )
})

function outcomeOf(name: string): CommandOutcome {
  const outcome = outcomes.get(name)
  if (outcome === undefined) throw new Error(`there is no ${name} run`)
  return outcome
}

function addressOf(name: string): string {
  return String(pathToFileURL(reportPath(outcomeOf(name))))
}

const looks: Record<string, BrowserContextOptions> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  narrow: { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true },
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
  passes: { id: string }[]
}

async function violations(url: string, look: string, unfolded: boolean): Promise<string[]> {
  const { page } = await browser.open(url, looks[look])
  if (unfolded) await unfold(page)
  await page.evaluate(axe.source)
  const { violations: found, passes } = await page.evaluate<AxeResult>(
    "axe.run({ rules: { 'target-size': { enabled: true } } })",
  )
  await page.close()
  expect(passes.map(({ id }) => id)).toContain('color-contrast')
  return found.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

describe.each(Object.keys(looks))('accessibility, %s', (look) => {
  it.each(names)('has nothing that axe objects to in a %s report', async (name) => {
    expect(await violations(addressOf(name), look, name === 'red')).toEqual([])
  })

  it('has nothing that axe objects to in a report with everything', async () => {
    const report = reviewedFixture()
    report.run.interrupted = true
    const { url } = await browser.serve(reportHtml(report, { runs: pastRunsFixture(30) }))
    expect(await violations(url, look, true)).toEqual([])
  })
})

describe('a telephone', () => {
  it.each(names)(
    'shows a %s report without scrolling sideways or squeezing its text',
    async (name) => {
      const { page } = await browser.open(addressOf(name), looks.narrow)
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
      await page.close()
    },
  )
})

it('shows the last runs on a telephone without scrolling sideways', async () => {
  const { url } = await browser.serve(reportHtml(reviewedFixture(), { runs: pastRunsFixture(30) }))
  const { page } = await browser.open(url, looks.narrow)
  await unfold(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await page.getByRole('row').count()).toBe(31)
  expect(await page.locator('svg.history').isVisible()).toBe(true)
  await page.close()
})

describe('the colours', () => {
  it('follow the reader, who may prefer dark ones', async () => {
    const background = async (look: string): Promise<string> => {
      const { page } = await browser.open(addressOf('green'), looks[look])
      const color = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      await page.close()
      return color
    }
    expect(await background('light')).toBe('rgb(255, 255, 255)')
    expect(await background('dark')).toBe('rgb(17, 20, 23)')
  })
})

describe('print', () => {
  it('has no controls, shows the rows of folded sections and keeps failures together', async () => {
    const { page } = await browser.open(addressOf('red'))
    const row = page.getByText('Without limit a page has the default size.')
    expect(await row.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(await page.getByRole('searchbox').count()).toBe(0)
    expect(await page.locator('button.copy:visible').count()).toBe(0)
    expect(await row.isVisible()).toBe(true)
    const failure = page.locator('article').first()
    expect(await styleOf(failure, 'break-inside')).toBe('avoid')
    expect((await page.pdf()).length).toBeGreaterThan(10_000)
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(await row.isVisible()).toBe(false)
    await page.close()
  })

  it('shows the rows of folded sections without the script too', async () => {
    const { url } = await browser.serve(reportPage(outcomeOf('red')))
    const { page } = await browser.open(url, { javaScriptEnabled: false })
    await page.emulateMedia({ media: 'print' })
    const row = page.getByText('Without limit a page has the default size.')
    expect(await row.evaluate((it) => it.checkVisibility({ contentVisibilityAuto: true }))).toBe(
      true,
    )
    await page.close()
  })
})
