import { parse } from 'dotenv'
import { expect, it } from 'vitest'
import { environmentLine } from './environment-template.ts'

it.each([
  'https://git.example.com/a',
  '',
  'PUT /path {"name":"x"}',
  "it's # not a comment",
  'both \' and "',
  'a\\nb $HOME',
  ' spaces around ',
])('environmentLine returns a line that dotenv reads as %o', (value) => {
  expect(parse(environmentLine('NAME', value))).toEqual({ NAME: value })
})
