import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from './command.fixture.ts'
import { loadTargetOrExplain } from './load.ts'
import { provisionTarget } from './provision-target.ts'
import { enclosedSurroundings } from './surroundings.ts'

const lines = [
  'CODE_HOSTING_BASE_URL=https://git.example.com',
  'CODE_HOSTING_ADMIN_USERNAME=root',
  'CODE_HOSTING_ADMIN_PASSWORD=a-password',
  'NODE_EXTRA_CA_CERTS=/etc/authority.pem',
]

function directoryWith(file: string): string {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, file), `${lines.join('\n')}\n`)
  return directory
}

/** What is told while the target is loaded. */
function told(file: string, environment: NodeJS.ProcessEnv, envFile?: string): string {
  const { errors, told } = enclosedSurroundings('.')
  const directory = directoryWith(file)
  const { target } = loadTargetOrExplain({ environment, envFile, directory }, errors)
  expect(target.codeHosting?.baseUrl).toBe('https://git.example.com')
  return told.errors
}

const notice = (place: string) =>
  `plumbline: NODE_EXTRA_CA_CERTS in ${place} does nothing: Node.js reads it when it starts. ` +
  'Set it in the environment of the process.\n'

describe('a variable that Node.js reads when it starts', () => {
  it('is told of when an environment file alone has it', () => {
    expect(told('.env', {})).toBe(notice('.env'))
    expect(told('staging.env', { NODE_EXTRA_CA_CERTS: ' ' }, 'staging.env')).toBe(
      notice('the file of --env-file'),
    )
  })

  it('is not when the process has it too', () => {
    expect(told('.env', { NODE_EXTRA_CA_CERTS: '/elsewhere.pem' })).toBe('')
  })

  it('is told of before accounts are made', () => {
    const surroundings = enclosedSurroundings(directoryWith('.env'))

    provisionTarget(undefined, surroundings)
    expect(surroundings.told.errors).toBe(notice('.env'))
  })
})
