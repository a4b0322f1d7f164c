import { parse } from 'dotenv'
import { describe, expect, it } from 'vitest'
import { environmentLine } from './environment-line.ts'

describe('a line of an environment file', () => {
  it.each([
    'plain',
    'https://git.example.com/a',
    '{username}/{name}',
    '',
    'PUT /path {"name":"x"}',
    "it's # not a comment",
    'both \' and "',
    'a\\nb $HOME',
    ' spaces around ',
  ])('is read as it was written: %o', (value) => {
    expect(parse(environmentLine('NAME', value))).toEqual({ NAME: value })
  })
})
