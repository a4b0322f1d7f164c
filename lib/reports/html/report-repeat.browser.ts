import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { atTheEnd, resultOf } from '../../cli/command.fixture.ts'
import { enclosedRun } from '../../cli/enclosed-run.fixture.ts'
import { startReference } from '../../test-bed/reference/index.ts'
import { reportPage, TestBrowser } from './report-page.fixture.ts'

const browser = new TestBrowser()

/** @param name part of the accessible name of the button */
async function copy(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).first().click()
  await page.locator('#shown', { hasText: 'Copied' }).waitFor()
}

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

/** Returns the output of the command in a shell. */
async function pasted(command: string, variables: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', command], {
    env: { PATH: process.env.PATH, ...variables },
    timeout: 20_000,
  })
  return stdout
}

it('copies commands that show the failure when they are pasted, after those that create what they use', async () => {
  const fault = 'missing-repository-rejected-with-403'
  const reference = await startReference({ fault, services: ['code-hosting'] })
  atTheEnd(() => reference.close())
  const requirement = 'code-hosting/errors/missing-repository'
  const outcome = await enclosedRun(reference.environment, { requirement: [requirement] })
  const url = await browser.serve(reportPage(outcome))
  const { page } = await browser.open(`${url}#${requirement}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await copy(page, `Copy the command: Check ${requirement}`)
  const again = `plumbline run --requirement ${requirement} --reports reports/again`
  expect(await copied(page)).toBe(again)
  await copy(page, 'Copy the command: Set $ALL_TOKEN')
  const output = await pasted(await copied(page), reference.environment)
  const [, token = ''] = /"sha1":"(\w+)"/.exec(output) ?? []
  await copy(page, `Copy the command: Repeat ${resultOf(outcome, requirement).exchanges[0]}`)
  const repeat = await copied(page)
  // An empty token would show another status than the failure.
  await expect(pasted(repeat, reference.environment)).rejects.toThrow('ALL_TOKEN')
  const response = await pasted(repeat, { ...reference.environment, ALL_TOKEN: token })
  expect(response).toMatch(/^HTTP\/1\.1 403 /)
})
