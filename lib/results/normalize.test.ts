import { expect, it } from 'vitest'
import { createNormalizer } from './normalize.ts'

const report = {
  run: { id: 'q7k2' },
  target: {
    codeHosting: { baseUrl: 'https://git.example.com:8443/git' },
    eventPublishing: { baseUrl: 'http://events/' },
  },
}
const normalize = createNormalizer(report)

it.each([
  ['a  text\n that is wrapped ', 'a text that is wrapped'],
  ['https://git.example.com:8443/git/api', '(origin)/git/api'],
  ['http://events/x and the events', '(origin)/x and the events'],
  ['plumbline-q7k2-read-user is known', '(generated name) is known'],
  ['/maria/plumbline-20261123t0629-a1b2c3-missing 404', '/maria/(generated name) 404'],
  ['run q7k2, run 20261123t0629-a1b2c3', 'run (run id), run (run id)'],
  ['plumbline/1.0 (20261123t0629-a1b2c3; e17), (q7k2; e3)', 'plumbline/1.0 ((run id)), ((run id))'],
  ['0b9c1c5e-8f5a-4a3c-9d55-0b9c1c5e8f5a', '(UUID)'],
  ['2026-02-03T02:59:10.120Z, 2026-02-03 02:59:10+01:00', '(time), (time)'],
  ['token_last_eight "a1b2c3d4", not facadefacade', 'token_last_eight "(id)", not facadefacade'],
  ['{"size":10485760,"key":"0123456789012345"}', '{"size":10485760,"key":"(id)"}'],
  ['{"id":17,"owner_id": 3,"size":25}', '{"id":(id),"owner_id": (id),"size":25}'],
  [
    '(/12/name must be string; /3 must be object)',
    '(/(index)/name must be string; /(index) must be object)',
  ],
  // The date of a header field is significant.
  ['Sunset: Wed, 01 Apr 2026 00:00:00 GMT', 'Sunset: Wed, 01 Apr 2026 00:00:00 GMT'],
  [' (/12/name), a/12/b ', '(/(index)/name), a/12/b'],
  ['20261123t0629-a1b2c, xA1b2c3d4, a1b2c3d4x', '20261123t0629-a1b2c, xA1b2c3d4, a1b2c3d4x'],
])('replaces the variable parts of %j: %j', (text, expected) => {
  expect(normalize(text)).toBe(expected)
  expect(normalize(expected)).toBe(expected)
})

it('treats the run id as literal text', () => {
  const run = { id: 'a.c+(1)' }
  expect(createNormalizer({ run, target: {} })('a.c+(1) abc')).toBe('(run id) abc')
})

it.each([
  ['https://git.example.com:8443/git', '(origin)/git'],
  ['plumbline-q7k2-all (q7k2; e3)', 'plumbline-(run id)-all ((run id))'],
  ['0b9c1c5e-8f5a-4a3c-9d55-0b9c1c5e8f5a', '(UUID)'],
  // An id may have no letter, or no digit, by chance.
  ['1234567, abcdefA, 123456', '(id of 7), (id of 7), 123456'],
  ['x1234567, 1234567x', 'x1234567, 1234567x'],
  ['{"id":17}', '{"id":(id)}'],
])('exact keeps what is equal in runs of one server in %j: %j', (text, expected) => {
  expect(createNormalizer(report, { exact: true })(text)).toBe(expected)
})
