import { afterAll, beforeEach, expect, it } from '@jest/globals'
import { readReturnPath, showSignInPath } from '../../../web/src/routing/return-path.ts'

const names = ['location', 'history'] as const
const originals = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))
let shown: string | undefined

/** Sets the address of the page, as a browser does. */
function open(path: string): void {
  Object.assign(globalThis, { location: new URL(path, 'https://platform.example') })
}
function replaceState(_state: unknown, _title: string, path: string): void {
  shown = path
  open(path)
}

beforeEach(() => {
  shown = undefined
  Object.assign(globalThis, { history: { replaceState } })
})
afterAll(() => {
  names.forEach((name, index) => {
    const original = originals[index]
    if (original === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, original)
  })
})

it.each([
  ['/console', '/console/sign-in', undefined],
  ['/console/', '/console/sign-in', undefined],
  ['/console/sign-in', undefined, undefined],
  ['/console/sign-in?return_to=%2Fws_1%2Fdata', undefined, '/ws_1/data'],
  [
    '/console/ws_1/search?q=a%26b#top',
    '/console/sign-in?return_to=%2Fws_1%2Fsearch%3Fq%3Da%2526b%23top',
    '/ws_1/search?q=a%26b#top',
  ],
  ['/console/sign-in?return_to=https://evil.example', undefined, undefined],
  ['/console/sign-in?return_to=//evil.example', undefined, undefined],
  ['/console//evil.example', '/console/sign-in?return_to=%2F%2Fevil.example', undefined],
])('%s becomes %s and leads to %s', (path, expected, returnPath) => {
  open(path)
  showSignInPath()
  expect([shown, readReturnPath()]).toEqual([expected, returnPath])
})
