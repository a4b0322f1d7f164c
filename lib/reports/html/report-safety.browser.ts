import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../cli/command.fixture.ts'
import { failedRun, styleOf, TestBrowser, unfold } from './report-page.fixture.ts'

const browser = new TestBrowser()

let red: Awaited<ReturnType<typeof failedRun>>

beforeAll(async () => {
  red = await failedRun()
})

describe('the page', () => {
  it('requests only itself, from a disk', async () => {
    const path = join(temporaryDirectory(), 'report.html')
    writeFileSync(path, red.page)
    const url = String(pathToFileURL(path))
    const { page, requests, complaints } = await browser.open(url)
    await unfold(page)
    await page.getByRole('button', { name: /failed$/ }).click()
    await page.waitForLoadState('networkidle')
    expect(requests).toEqual([url])
    expect(complaints).toEqual([])
  })

  it('forbids to load, send or run anything else by its policy', async () => {
    const { page } = await browser.open(await browser.serve(red.page))
    const blocked = await page.evaluate<string[]>(`new Promise((resolve) => {
      const directives = new Set()
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        directives.add(effectiveDirective)
        if (directives.size === 4) resolve([...directives].sort())
      })
      const add = (name, attributes, text = '') => {
        const element = Object.assign(document.createElement(name), attributes)
        element.textContent = text
        document.body.append(element)
      }
      add('script', {}, 'document.title = "taken over"')
      add('style', {}, 'body { display: none }')
      add('img', { src: '/pixel' })
      fetch('/').catch(() => {})
    })`)
    expect(blocked).toEqual(['connect-src', 'img-src', 'script-src-elem', 'style-src-elem'])
    expect(await page.title()).toContain('Nonconformant')
  })

  it('is readable if an artifact store forbids style and script', async () => {
    // Default policy of Jenkins for artifacts.
    const policy = "sandbox; default-src 'none'; img-src 'self'; style-src 'self'"
    const url = await browser.serve(red.page, { 'Content-Security-Policy': policy })
    const { page, requests } = await browser.open(url)
    expect(await page.locator('body').innerText()).toMatch(/Nonconformant: 2 of \d+ testable /)
    const failures = red.outcome.report.results.filter(({ verdict }) => verdict === 'fail')
    expect(failures).toHaveLength(2)
    for (const { requirement, statement, section, expected = '', actual = '' } of failures) {
      const failure = page.locator(`article[id="${requirement}"]`)
      for (const visible of [
        statement,
        requirement,
        section,
        expected,
        actual,
        '200 OK',
        'plumbline run ',
      ]) {
        expect(await failure.getByText(visible).first().isVisible()).toBe(true)
      }
    }
    expect(await page.getByRole('searchbox').count()).toBe(0)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await styleOf(page.locator('.run'), 'border-left-width')).toBe('0px')
    expect(requests).toEqual([url])
  })
})
