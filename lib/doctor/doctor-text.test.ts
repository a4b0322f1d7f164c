import { describe, expect, it } from 'vitest'
import { terminalStyle } from '../reports/terminal-style.ts'
import {
  type DoctorReport,
  doctorStatus,
  type FindingKind,
  type RequirementOutlook,
} from './doctor-report.ts'
import { doctorText } from './doctor-text.ts'

const judged: RequirementOutlook = {
  requirement: 'code-hosting/errors/body',
  outlook: 'judged',
  variables: [],
}
const skipped: RequirementOutlook = {
  requirement: 'code-hosting/tokens/created',
  outlook: 'skipped',
  reason: 'CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD are not set',
  variables: ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'],
}
const leftOut: RequirementOutlook = {
  requirement: 'code-hosting/errors/server-error-retry',
  outlook: 'left out',
  reason: 'cannot be tested: nothing shows it',
  variables: [],
  untestable: true,
}
const open: RequirementOutlook = {
  requirement: 'code-hosting/errors/server-error-message',
  outlook: 'left out',
  reason: 'there was no response with status 500',
  variables: [],
}

const incident: RequirementOutlook = {
  requirement: 'incident-status/updates/accepted',
  outlook: 'judged',
  variables: [],
}

const both: DoctorReport['target'] = {
  codeHosting: { baseUrl: 'https://git.example.com', answers: true },
  incidentStatus: { baseUrl: 'https://status.example.com', answers: true },
}

const report: DoctorReport = {
  schema: 1,
  tool: { name: 'plumbline', version: '1.2.3' },
  status: 0,
  target: { codeHosting: { baseUrl: 'https://git.example.com', answers: true } },
  requests: 3,
  findings: [],
  clocks: {},
  requirements: [judged, skipped, leftOut, open],
  nextSteps: [
    {
      texts: ['Set the main account.'],
      variables: ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD'],
      adds: ['code-hosting/tokens/created'],
    },
  ],
  unprobed: [
    {
      service: 'incident-status',
      variable: 'INCIDENT_STATUS_BASE_URL',
      judged: 5,
      requirements: 6,
    },
  ],
}

function shown(changes: Partial<DoctorReport> = {}, width = 100): string {
  return doctorText({ ...report, ...changes }, terminalStyle({ color: false, width }))
}

function found(kind: FindingKind, text: string) {
  return { service: 'code-hosting' as const, kind, text }
}

/** Titles of the sections, and the conclusion; what is above them says what was looked at. */
function placesIn(text: string): string[] {
  const [, , ...sections] = text.split('\n\n')
  return sections.flatMap((section) => section.split('\n').filter((row) => !row.startsWith(' ')))
}

describe('what the doctor shows', () => {
  it('has what needs to be done after what is in order', () => {
    const text = shown({
      findings: [found('warning', 'Few repositories.'), found('untold', 'Whether it is there.')],
    })

    expect(placesIn(text)).toEqual([
      'A GET cannot tell (1)',
      'What a run would judge',
      'Left out (2)',
      'Next steps, those first that add most',
      'Warnings (1)',
      'ready: a run would judge 1 of 4 requirements (25 %) (exit status 0)',
    ])
  })

  it('has problems last, and of a service with some no more than a row of the table', () => {
    const text = shown({
      status: 2,
      target: both,
      findings: [
        found('good', 'The service answers.'),
        found('configuration', 'The account is no admin.'),
      ],
      requirements: [...report.requirements, incident],
    })

    expect(placesIn(text)).toEqual([
      'In order (1)',
      'What a run would judge, once the problems below are mended',
      'Problems (1)',
      'not ready: 1 problem to mend; then a run would judge 2 of 5 requirements (40 %) (exit status 2)',
    ])
    expect(text).toMatch(/^ {2}code-hosting +1 +1 +2 +4 +25 %$/m)
    expect(text).not.toMatch(/^ {4}errors/m)
    expect(text).toMatch(/^ {4}updates/m)
  })

  it('has nothing of a service that does not answer but what is wrong', () => {
    const problem = found('target', 'https://git.example.com cannot be reached.')
    const alone = shown({
      status: 3,
      target: { codeHosting: { baseUrl: 'https://git.example.com', answers: false } },
      findings: [problem],
      requirements: [],
      nextSteps: [],
    })
    const beside = shown({
      status: 3,
      target: { ...both, codeHosting: { baseUrl: 'https://git.example.com', answers: false } },
      findings: [problem],
      requirements: [incident],
      nextSteps: [],
    })

    expect(placesIn(alone)).toEqual([
      'Problems (1)',
      'not ready: 1 problem to mend (exit status 3)',
    ])
    expect(placesIn(beside)).toEqual([
      'What a run would judge of the services that answer',
      'Problems (1)',
      'not ready: 1 problem to mend; of the services that answer, a run would judge 1 of 1 requirements',
      '(100 %) (exit status 3)',
    ])
    expect(alone).not.toContain('Refused credentials')
  })

  it('says that refused credentials were not tried again, where some were refused', () => {
    expect(shown({ findings: [found('target', 'maria was refused with 401.')] })).toContain(
      'Refused credentials were not tried again.',
    )
    expect(shown()).not.toContain('Refused credentials')
  })

  it('counts by section, and tells what each step brings', () => {
    const text = shown()

    expect(text).toMatch(/ {4}errors +1 +0 +2 +3 +33 %/)
    expect(text).toContain('1. Set the main account. (1 requirement more)')
    expect(text).toMatch(/Set INCIDENT_STATUS_BASE_URL.*\s+.*judges up to 5 of its 6 requirements/)
    expect(text).toContain('cannot be tested ("plumbline requirements" tells why)')
    expect(text).toMatch(/there was no response with status 500\n/)
    expect(text).toMatch(/skipped: judged once .* left out: it cannot be tested/)
    expect(text).toMatch(/ready: a run would judge 1 of 4 requirements \(25 %\) \(exit status 0\)$/)
  })

  it('fits into 100 columns', () => {
    const text = shown({ findings: [found('warning', 'A long sentence about it. '.repeat(20))] })

    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('shows what a server says without obeying it', () => {
    const text = shown({
      findings: [found('target', 'It said \u001b[2J\u001b]0;title\u0007 and\nProblems (0)')],
      target: { codeHosting: { baseUrl: 'https://git.example.com/\u202egnp', answers: true } },
    })

    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(text).not.toMatch(/^Problems \(0\)/m)
  })

  it('says that nothing of the operator was looked at where nothing is configured', () => {
    const text = shown({
      requests: 0,
      target: { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true, answers: true } },
    })

    expect(text).toContain('No deployment is configured')
    expect(text).not.toContain('GET requests')
    expect(text).toMatch(
      /ready: a run would judge 1 of 4 .* of the embedded deployment and none of/,
    )
  })
})

describe('the exit status of the doctor', () => {
  it.each([
    [0, ['good', 'warning', 'untold'], [judged]],
    [2, ['good', 'configuration'], [judged]],
    [3, ['target', 'configuration'], [judged]],
    [2, [], [skipped, leftOut]],
  ] as const)('is %d for %j', (status, kinds, requirements) => {
    const findings = kinds.map((kind) => ({ kind }))

    expect(doctorStatus(findings, requirements)).toBe(status)
  })
})

describe('the table', () => {
  it('has services, their sections, and everything, and calls nothing 100 % that is not all', () => {
    const most = Array.from({ length: 300 }, () => judged)
    const rows = shown({ requirements: [...most, skipped, incident] }).split('\n')
    const table = rows.slice(rows.findIndex((row) => /judged +skipped +left out/.test(row)) + 1)

    expect(table.slice(0, 6).map((row) => row.trim().split(/ {2,}/))).toEqual([
      ['code-hosting', '300', '1', '0', '301', '99 %'],
      ['errors', '300', '0', '0', '300', '100 %'],
      ['tokens', '0', '1', '0', '1', '0 %'],
      ['incident-status', '1', '0', '0', '1', '100 %'],
      ['updates', '1', '0', '0', '1', '100 %'],
      ['all', '301', '1', '0', '302', '99 %'],
    ])
  })
})
