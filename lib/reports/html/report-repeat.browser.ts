import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { atTheEnd, plumbline, resultOf } from '../../cli/command.fixture.ts'
import { startReference } from '../../reference/index.ts'
import { reportPage, TestBrowser } from './report-page.fixture.ts'

const browser = new TestBrowser()

async function copy(page: Page, requirement: string): Promise<void> {
  await page.locator(`[id="${requirement}"] button.copy`).first().click()
  await page.getByText('Copied').first().waitFor()
}

it('copies a command that shows the wrong status when it is pasted, with a body', async () => {
  const fault = 'incident-update-answered-with-a-redirect'
  const reference = await startReference({ fault, services: ['incident-status'] })
  atTheEnd(() => reference.close())
  const requirement = 'incident-status/updates/accepted'
  const outcome = await plumbline(['run'], reference.environment)
  expect(resultOf(outcome, requirement).verdict).toBe('fail')
  const url = await browser.serve(reportPage(outcome))
  const { page } = await browser.open(`${url}#${requirement}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await copy(page, requirement)
  expect(await page.locator('#shown').textContent()).toBe('Copied')
  const command = await page.evaluate<string>('navigator.clipboard.readText()')
  await page.close()
  expect(command).toContain(reference.baseUrl)
  // What whoever pastes the command into a shell sees, with the run's variables set.
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', command], {
    env: { PATH: process.env.PATH, ...reference.environment },
    timeout: 20_000,
  })
  expect(stdout).toMatch(/^HTTP\/1\.1 303 /)
})

it('copies where there is no clipboard for scripts', async () => {
  const outcome = await plumbline(['run', '--fault', 'limit-not-lowered'])
  const requirement = 'code-hosting/settings/agree-with-pagination'
  const url = await browser.serve(reportPage(outcome))
  const { page } = await browser.open('about:blank')
  await page.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })",
  )
  await page.goto(`${url}#${requirement}`)
  await copy(page, requirement)
  const selected = await page.evaluate('String(getSelection())')
  const command = page.locator(`[id="${requirement}"] .repeat pre`).first()
  expect(selected).toBe(await command.textContent())
  await page.close()
})
