import { describe, expect, it } from 'vitest'
import { exchangeWith } from './exchange.fixture.ts'
import { Inconclusive } from './outcome.ts'
import { CLEAN_UP } from './scope.ts'
import { watchSilence } from './silence.ts'

const TIMEOUT_MS = 1000

function watched() {
  const silence = watchSilence(TIMEOUT_MS)
  const made = (path: string) => exchangeWith({ status: 200 }, path)
  return {
    answer: (path = '/api/v1/user') => silence.note(made(path).record),
    fail(path = '/api/v1/user', durationMs = TIMEOUT_MS) {
      silence.note({ ...made(path).record, response: null, error: 'no response', durationMs })
    },
    admit(path = '/api/v1/user', purpose = 'x') {
      silence.admit({ ...made(path).request, purpose })
    },
  }
}

describe('a path that never answers', () => {
  it('is not asked for any more after some attempts, whatever the query', () => {
    const { fail, admit } = watched()
    for (let count = 0; count < 4; count += 1) {
      admit()
      fail('/api/v1/user?token=a')
    }
    expect(() => admit('/api/v1/user?token=b')).toThrow(Inconclusive)
    expect(() => admit()).toThrow(
      'GET /api/v1/user is not asked for any more: 4 times in a row it had no answer within the ' +
        'time limit (PROBE_TIMEOUT_MS)',
    )
  })

  it('holds up neither others nor what takes something away', () => {
    const { fail, admit } = watched()
    for (let count = 0; count < 9; count += 1) fail()
    admit('/api/v1/user/repos')
    admit('/api/v1/user', CLEAN_UP)
    expect(() => admit()).toThrow('9 times')
  })

  it('is none that answers now and then, or fails at once', () => {
    const { answer, fail, admit } = watched()
    for (let count = 0; count < 20; count += 1) {
      fail()
      if (count % 3 === 0) answer()
      fail('/api/v1/other', 5)
    }
    answer()
    admit()
    admit('/api/v1/other')
  })
})
