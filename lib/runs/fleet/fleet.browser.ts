import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeViolations, TestBrowser } from '../../reports/html/report-page.fixture.ts'
import { quietReport, resultOf } from '../compare/stored-report.fixture.ts'
import { fleetFixture, memberOf } from './fleet.fixture.ts'
import { digest, mergeReports } from './fleet.ts'
import { fleetPage } from './page.ts'

const browser = new TestBrowser()

const looks: Record<string, BrowserContextOptions> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  narrow: { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true },
}

const wide = fleetPage(fleetFixture())

describe.each(Object.keys(looks))('the page of a fleet, %s', (look) => {
  it('has nothing that axe objects to, and loads and says nothing', async () => {
    const url = await browser.serve(wide)
    const { page, requests, complaints } = await browser.open(url, looks[look])
    expect(requests).toEqual([url])
    expect(complaints).toEqual([])
    expect(await axeViolations(page)).toEqual([])
  })

  it('scrolls its tables, never itself, and by the keyboard too', async () => {
    const url = await browser.serve(wide)
    const { page } = await browser.open(url, looks[look])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    const table = page.getByRole('group', { name: 'Table of deployments and sections' })
    await table.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => table.evaluate((it) => it.scrollLeft)).toBeGreaterThan(0)
    const [name, region] = await Promise.all([
      table.getByRole('rowheader').first().boundingBox(),
      table.boundingBox(),
    ])
    expect(name?.x).toBeCloseTo((region?.x ?? -1) + 1, 0)
  })
})

it('shows that a table scrolls until its end, and keeps its headings in sight', async () => {
  const verdicts = Object.fromEntries(
    ['documentation', 'errors', 'tokens', 'scopes', 'resources', 'pagination', 'limits'].map(
      (section) => [section, 'fail'] as const,
    ),
  )
  const results = [resultOf('code-hosting/errors/first', 'fail')]
  const small = { path: 'a', run: digest(quietReport({ results })) }
  const many = Array.from({ length: 60 }, (_, index) =>
    memberOf(`git-${index}.example.com`, verdicts),
  )
  const shown = async (members: Parameters<typeof mergeReports>[0]) => {
    const { page } = await browser.open(await browser.serve(fleetPage(mergeReports(members))), {
      viewport: { width: 800, height: 740 },
    })
    const table = page.getByRole('group', { name: 'Table of deployments and sections' })
    const hint = await table.locator('.sideways').boundingBox()
    const fade = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.scroll'), '::after').opacity`)
    return { page, table, height: hint?.height, fade }
  }
  const [narrow, wide] = [await shown([small]), await shown(many)]
  expect([narrow.height, wide.height]).toEqual([0, expect.closeTo(26, -1)])
  expect([await narrow.fade(), await wide.fade()]).toEqual(['0', '1'])
  await wide.table.evaluate((it) => it.scrollTo(it.scrollWidth, 2000))
  await expect.poll(wide.fade).toBe('0')
  const heading = wide.page.getByRole('columnheader', { name: 'Deployment' })
  const [cell, region] = [await heading.boundingBox(), await wide.table.boundingBox()]
  expect(cell?.y).toBeCloseTo((region?.y ?? 0) + 1, 0)
})
