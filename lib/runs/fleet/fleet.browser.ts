import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeViolations, TestBrowser } from '../../reports/html/report-page.fixture.ts'
import { resultOf } from '../compare/stored-report.fixture.ts'
import { fleetFixture, memberOf, reportMember } from './fleet.fixture.ts'
import { type FleetMember, mergeReports } from './fleet.ts'
import { fleetPage } from './page.ts'

const browser = new TestBrowser()

const tableIn = (page: Page) =>
  page.getByRole('group', { name: 'Table of deployments and sections' })

async function requireScrollingTable(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  const table = tableIn(page)
  await table.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => table.evaluate((it) => it.scrollLeft)).toBeGreaterThan(0)
  const name = await table.getByRole('rowheader').first().boundingBox()
  const region = await table.boundingBox()
  expect(name?.x).toBeCloseTo((region?.x ?? -1) + 1, 0)
}

it.each([
  ['wide', ['light', 'dark'], {}],
  ['narrow', ['light'], { viewport: { width: 360, height: 740 }, hasTouch: true }],
] as const)(
  'the %s page has nothing that axe objects to, and scrolls its tables, never itself',
  async (_, schemes, look) => {
    const url = await browser.serve(fleetPage(fleetFixture()))
    const { page, requests, complaints } = await browser.open(url, look)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page)).toEqual([])
    }
    await requireScrollingTable(page)
    expect(requests).toEqual([url])
    expect(complaints).toEqual([])
  },
)

it('shows that a table scrolls until its end, and keeps its headings in sight', async () => {
  const sections = ['documentation', 'errors', 'tokens', 'scopes', 'resources', 'limits']
  const verdicts = Object.fromEntries(sections.map((section) => [section, 'fail'] as const))
  const results = [resultOf('code-hosting/errors/first', 'fail')]
  const many = Array.from({ length: 20 }, (_, index) => memberOf(`git-${index}.example`, verdicts))
  const shown = async (members: FleetMember[]) => {
    const url = await browser.serve(fleetPage(mergeReports(members)))
    const { page } = await browser.open(url, { viewport: { width: 800, height: 740 } })
    const table = tableIn(page)
    const hint = await table.locator('.sideways').boundingBox()
    const fade = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.scroll'), '::after').opacity`)
    return { page, table, height: hint?.height, fade }
  }
  const [narrow, wide] = [await shown([reportMember('a', { results })]), await shown(many)]
  expect([narrow.height, wide.height]).toEqual([0, expect.closeTo(26, -1)])
  expect([await narrow.fade(), await wide.fade()]).toEqual(['0', '1'])
  await wide.table.evaluate((it) => it.scrollTo(it.scrollWidth, 2000))
  await expect.poll(wide.fade).toBe('0')
  const heading = wide.page.getByRole('columnheader', { name: 'Deployment' })
  const [cell, region] = [await heading.boundingBox(), await wide.table.boundingBox()]
  expect(cell?.y).toBeCloseTo((region?.y ?? 0) + 1, 0)
})
