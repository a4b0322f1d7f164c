import { describe, expect, it } from 'vitest'
import { subjects } from '../prove/subject.ts'
import { faults, variants } from '../reference/index.ts'
import { type SubjectPatterns, selectSubjects } from './prove-matrix.ts'

const names = (patterns: SubjectPatterns) =>
  selectSubjects(subjects, patterns).map(({ name }) => name)

describe('the subjects', () => {
  it('are all faults and all variants when none is named', () => {
    expect(selectSubjects(subjects, {})).toBe(subjects)
    expect(subjects).toHaveLength(faults.length + variants.length)
  })

  it('are those that are named, in the order of the registries', () => {
    expect(names({ fault: ['limit-not-lowered', 'error-body-without-url'] })).toEqual([
      'error-body-without-url',
      'limit-not-lowered',
    ])
    expect(names({ fault: ['next-link-stuck'], variant: ['link-relative'] })).toEqual([
      'next-link-stuck',
      'link-relative',
    ])
  })

  it('may be named by a glob, and are tried once', () => {
    const found = names({ variant: ['link-*', 'link-relative'] })
    expect(found.length).toBeGreaterThan(2)
    expect(new Set(found).size).toBe(found.length)
    for (const name of found) expect(name).toMatch(/^link-/)
  })

  it.each([
    [{ fault: ['limit-not-lowerd'] }, 'names no fault. Did you mean limit-not-lowered? "plumb'],
    [
      { variant: ['limit-not-lowered'] },
      'names no variant. limit-not-lowered is a fault: --fault limit-not-lowered. "plumbline',
    ],
    [{ fault: ['x'] }, '--fault x names no fault. "plumbline reference --list"'],
    [{ fault: [''] }, '--fault names nothing.'],
    [{ need: ['without othr'] }, '--need without othr names no need.'],
  ])('are not guessed: %j', (patterns, text) => {
    expect(() => selectSubjects(subjects, patterns)).toThrow(text)
  })
})
