import { describe, expect, it } from 'vitest'
import { scenarios } from '../prove/scenario.ts'
import { plumbline, whenItSays } from './command.fixture.ts'
import { type SubjectPatterns, selectSubjects } from './prove.ts'

describe('plumbline prove', () => {
  it('shows what it has when it is interrupted', async () => {
    const words = ['prove', '--fault', 'incident-*']
    const { status, output, errors } = await plumbline(words, {}, (child) =>
      whenItSays(child, 'at a time', () => child.kill('SIGINT')),
    )
    expect(errors).toMatch(/interrupted; \d+ of \d+ were not tried/)
    expect(output).toMatch(/(?:^|\n)\d+ passed, 0 failed\n$/)
    expect(status).toBe(3)
  })
})

describe('the subjects', () => {
  const names = (patterns: SubjectPatterns) =>
    selectSubjects(scenarios, patterns).map(({ name }) => name)

  it('are all of them, or those that are named, once, in the order of the registries', () => {
    expect(selectSubjects(scenarios, {})).toBe(scenarios)
    expect(
      names({
        fault: ['next-link-stuck', 'limit-not-low*'],
        variant: ['link-relativ*', 'link-relative'],
      }),
    ).toEqual([
      'limit-not-lowered',
      'next-link-stuck',
      'link-relative',
      'link-relative-below-a-base-path',
    ])
  })

  it.each([
    [{ fault: ['limit-not-lowerd'] }, 'names no fault. Did you mean limit-not-lowered? "plumb'],
    [{ fault: [''] }, '--fault  names no fault.'],
    [{ need: ['without othr'] }, '--need without othr names no need.'],
  ])('are not guessed: %j', (patterns, text) => {
    expect(() => selectSubjects(scenarios, patterns)).toThrow(text)
  })
})
