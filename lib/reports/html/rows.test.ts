import { describe, expect, it } from 'vitest'
import { howToJudge } from './rows.ts'

describe('howToJudge', () => {
  it.each([
    ['CODE_HOSTING_PUBLIC_REPOSITORY is not set', 'Set CODE_HOSTING_PUBLIC_REPOSITORY.'],
    [
      'CODE_HOSTING_OTP_USERNAME, CODE_HOSTING_OTP_PASSWORD and CODE_HOSTING_OTP_SECRET are not set',
      'Set CODE_HOSTING_OTP_USERNAME, CODE_HOSTING_OTP_PASSWORD and CODE_HOSTING_OTP_SECRET.',
    ],
    [
      'CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD (or CODE_HOSTING_TOKEN) are not set',
      'Set CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD (or CODE_HOSTING_TOKEN).',
    ],
    [
      'GET /repos/{owner}/{repo} is left out: CODE_HOSTING_PUBLIC_REPOSITORY is not set.',
      'Set CODE_HOSTING_PUBLIC_REPOSITORY.',
    ],
    [
      'the old prefix is allowed: CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME is true',
      'Judged on a server that is set the other way: then say so with CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME=false.',
    ],
    [
      'needs a POST request, and PROBE_READ_ONLY is true',
      'Set PROBE_READ_ONLY=false where that does no harm.',
    ],
    [
      'needs an account with fewer than 25 repositories, to see a list of one page: CODE_HOSTING_OTHER_USERNAME may name one',
      'Set CODE_HOSTING_OTHER_USERNAME and what belongs to it.',
    ],
    [
      'no page shorter than its limit came; see code-hosting/pagination/limit-lowered',
      'Look at code-hosting/pagination/limit-lowered first.',
    ],
    [
      'no control: the first token of that name was answered with 422',
      'The same request made properly has to succeed first.',
    ],
    [
      'needs more than 25 repositories, and the main account has 3',
      'Let the target have what it needs, and run again.',
    ],
    [
      'there was no response with status 500',
      'No setting changes that: this run gave no occasion to judge it.',
    ],
  ])('tells for "%s"', (reason, hint) => {
    expect(howToJudge({ reason })).toBe(hint)
  })
  it('goes by the kind of reason where the report has one', () => {
    expect(howToJudge({ reason: 'not selected', unjudged: { kind: 'not selected' } })).toBe(
      'Run without --requirement, or with a pattern that selects it.',
    )
    const unjudged = { kind: 'untestable', why: 'The document shows no path.' } as const
    expect(howToJudge({ reason: 'cannot be tested: so', unjudged })).toBe(
      'No setting changes that: nothing that the document shows would tell.',
    )
  })
})
