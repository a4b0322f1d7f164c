import { describe, expect, it } from 'vitest'
import { isBelow } from './base-url.ts'

const ORIGIN = 'https://code.test'
const isBelowForge = (url: string) => isBelow(new URL(url, ORIGIN), `${ORIGIN}/forge`)

describe('isBelow with a path', () => {
  it.each([
    ...['/forge', '/forge?page=2', '/forge/', '/forge//a', '/forge/a/../b', '/forge/a%2Fb'],
    ...['/forge/a?next=/../b', '/forge/..a/.b/c..', 'https://code.test:443/forge/a'],
    'https://maria:password@code.test/forge/a',
  ])('returns true for %j', (url) => {
    expect(isBelowForge(url)).toBe(true)
  })

  it.each([
    ...['/', '/forge-2', '/forge;a/b', '/forge%2Fa', '/Forge/a', '/%66orge/a', '//forge/a'],
    ...['/a/forge/b', '/forge/../b', '/forge/%2e%2E/b', '/forge/a/..%2F..%2Fb'],
    ...['/forge/%2e%2e%2Fb', '/forge/..%5cb', '/forge/..%252Fb'],
    ...['/forge/%252e%252E/b', '/forge/%25252e%25252e/b', '/forge/%25%32%65%25%32%65/b'],
    ...['/forge/..;/b', '/forge/..;a=1/b', '/forge/..%3Ba/b', '/forge/..%00/b', '/forge/..%20/b'],
    ...[
      'https://inside.test/forge/a',
      'http://code.test/forge/a',
      'https://code.test:8443/forge/a',
    ],
    'https://code.test.inside.test/forge/a',
  ])('returns false for %j', (url) => {
    expect(isBelowForge(url)).toBe(false)
  })

  it('compares the escapes of the path', () => {
    const base = `${ORIGIN}/a%20b%2Fc`
    expect(isBelow(new URL(`${base}/d`), base)).toBe(true)
    expect(isBelow(new URL('/a%20b/c/d', ORIGIN), base)).toBe(false)
  })
})

it('isBelow without a path returns true for the whole origin only', () => {
  for (const path of ['/', '/a', '/a/..%2Fb', '//a']) {
    expect(isBelow(new URL(ORIGIN + path), ORIGIN)).toBe(true)
  }
  expect(isBelow(new URL('https://inside.test/'), ORIGIN)).toBe(false)
})
