import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CommandOutcome, resultOf, withVerdict } from '../../cli/command.fixture.ts'
import { failedRun, TestBrowser } from './report-page.fixture.ts'

const browser = new TestBrowser()
const passing = 'code-hosting/pagination/default-limit'
const failing = 'code-hosting/pagination/limit-lowered'

let red: CommandOutcome

let address: string

beforeAll(async () => {
  const { outcome, page } = await failedRun()
  red = outcome
  address = await browser.serve(page)
})

const openRed = async (fragment = '') => (await browser.open(`${address}${fragment}`)).page

const element = (page: Page, id: string) => page.locator(`[id="${id}"]`)
const shownRows = (page: Page) => page.locator('.requirement:not([hidden])').count()
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const filter = (page: Page, name: RegExp) => page.getByRole('button', { name })

it('the search finds requirements by id and statement, reports when nothing matches, and can be reset', async () => {
  const page = await openRed()
  const all = red.report.results.length
  expect(await shownRows(page)).toBe(all)

  await search(page).fill('pagination/default-lim')
  expect(await shownRows(page)).toBe(1)
  expect(await page.getByText(resultOf(red, passing).statement).isVisible()).toBe(true)
  expect(await page.locator('#shown').textContent()).toBe(`1 of ${all} requirements shown`)

  await search(page).fill('ABOVE the maximum page size')
  expect(await page.locator('.requirement:not([hidden])').getAttribute('id')).toBe(failing)

  await search(page).fill('')
  expect(await shownRows(page)).toBe(all)
  expect(await page.getByText(resultOf(red, passing).statement).isVisible()).toBe(false)

  await search(page).fill('no such thing')
  const message = page.getByText('No requirement matches.')
  expect(await message.isVisible()).toBe(true)
  await filter(page, /^Show everything$/).click()
  expect(await shownRows(page)).toBe(red.report.results.length)
  expect(await message.isVisible()).toBe(false)
})

it('the filters show one verdict, or several', async () => {
  const page = await openRed()
  const failed = filter(page, /^2 failed$/)
  await failed.click()
  expect(await failed.getAttribute('aria-pressed')).toBe('true')
  expect(await shownRows(page)).toBe(2)
  expect(await page.locator('#observations').isVisible()).toBe(false)

  await filter(page, /skipped$/).click()
  expect(await shownRows(page)).toBe(2 + withVerdict(red, 'skipped').length)

  await search(page).fill('limit-lowered')
  await filter(page, /skipped$/).click()
  expect(await shownRows(page)).toBe(1)

  await failed.click()
  await search(page).fill('')
  expect(await shownRows(page)).toBe(red.report.results.length)
  expect(await page.locator('#observations').isVisible()).toBe(true)
})

describe('a link to a requirement', () => {
  it('exists for every requirement and shows a requirement that a filter hides', async () => {
    const page = await openRed()
    await search(page).fill('default-limit')
    await page.locator('.requirement:not([hidden]) .permalink a').press('Enter')
    expect(new URL(page.url()).hash).toBe(`#${passing}`)
    expect(await element(page, passing).isVisible()).toBe(true)

    await filter(page, /failed$/).click()
    await page.evaluate(`location.hash = '#section/code-hosting/pagination'`)
    await page.evaluate(`location.hash = '#${passing}'`)
    await element(page, passing).waitFor({ state: 'visible' })
    expect(await shownRows(page)).toBe(red.report.results.length)
  })

  it('opens an exchange that is folded twice', async () => {
    const page = await openRed(`#${passing}`)
    const link = element(page, passing).locator('a[href^="#e"]').first()
    const id = (await link.textContent()) ?? ''
    await link.click()
    await element(page, id).waitFor({ state: 'visible' })
  })
})

it('is used with the keyboard', async () => {
  const page = await openRed()
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.className')).toBe('skip-link')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('results')
})
