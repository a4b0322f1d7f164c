import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { atTheEnd, plumbline, resultOf } from '../../cli/command.fixture.ts'
import { type RunningReference, startReference } from '../../reference/index.ts'
import { reportPage, TestBrowser } from './report-page.fixture.ts'

const browser = new TestBrowser()

async function faulty(
  fault: string,
  service: 'code-hosting' | 'incident-status' | 'event-publishing',
) {
  const reference = await startReference({ fault, services: [service] })
  atTheEnd(() => reference.close())
  return reference
}

/** A token of the main account that may do everything, as an operator would supply one. */
async function suppliedToken({ baseUrl, environment }: RunningReference): Promise<string> {
  const username = environment.CODE_HOSTING_USERNAME ?? ''
  const credentials = Buffer.from(`${username}:${environment.CODE_HOSTING_PASSWORD}`)
  const response = await fetch(`${baseUrl}/api/v1/users/${username}/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${credentials.toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'supplied', scopes: ['all'] }),
  })
  const { sha1 } = (await response.json()) as { sha1: string }
  return sha1
}

async function copiedCommand(page: Page, requirement: string): Promise<string> {
  const button = page.locator(`[id="${requirement}"] button.copy`).first()
  await button.click()
  await page.getByText('Copied').first().waitFor()
  expect(await page.locator('#shown').textContent()).toBe('Copied')
  return page.evaluate<string>('navigator.clipboard.readText()')
}

/** What whoever pastes the command into a shell sees, with the run's variables set. */
async function pasted(command: string, environment: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', command], {
    env: { PATH: process.env.PATH, ...environment },
    timeout: 20_000,
  })
  return stdout
}

async function repeated(
  requirement: string,
  reference: RunningReference,
  environment: Record<string, string>,
): Promise<string> {
  const outcome = await plumbline(['run'], environment)
  expect(resultOf(outcome, requirement).verdict).toBe('fail')
  const { url } = await browser.serve(reportPage(outcome))
  const { page } = await browser.open(`${url}#${requirement}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const command = await copiedCommand(page, requirement)
  await page.close()
  expect(command).toContain(reference.baseUrl)
  return pasted(command, environment)
}

describe('a command that is copied and pasted', () => {
  it('shows the wrong header that the page marks', async () => {
    const reference = await faulty('limit-not-lowered', 'code-hosting')
    const environment = {
      ...reference.environment,
      CODE_HOSTING_TOKEN: await suppliedToken(reference),
    }
    const answer = await repeated('code-hosting/pagination/limit-lowered', reference, environment)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(/^x-perpage: 26\r?$/im)
  })

  it('shows the wrong status, with a body', async () => {
    const reference = await faulty('incident-update-answered-with-a-redirect', 'incident-status')
    const answer = await repeated('incident-status/updates/accepted', reference, {
      ...reference.environment,
    })
    expect(answer).toMatch(/^HTTP\/1\.1 303 /)
  })
})

describe('the copy button', () => {
  it('works where there is no clipboard for scripts', async () => {
    const outcome = await plumbline(['run', '--fault', 'limit-not-lowered'])
    const requirement = 'code-hosting/settings/agree-with-pagination'
    const { url } = await browser.serve(reportPage(outcome))
    const { page } = await browser.open('about:blank')
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })",
    )
    await page.goto(`${url}#${requirement}`)
    const repeat = page.locator(`[id="${requirement}"] .repeat`)
    await repeat.getByRole('button').click()
    await page.getByText('Copied').first().waitFor()
    const selected = await page.evaluate('String(getSelection())')
    expect(selected).toBe(await repeat.locator('pre').textContent())
    await page.close()
  })
})
