import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeViolations, TestBrowser } from '../reports/html/report-page.fixture.ts'
import { fleetFixture } from './fleet.fixture.ts'
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
    await page.close()
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
    expect(name?.x).toBeCloseTo(region?.x ?? -1, 0)
    await page.close()
  })
})
