import { expect, test } from '@jest/globals'
import { formatEnvFile } from '../../../../web/src/ui/dialog/env-file.ts'

test('formatEnvFile writes a line for each variable', () => {
  expect(
    formatEnvFile([
      ['PLATFORM_URL', 'https://platform.example:8443'],
      ['PLATFORM_API_KEY', 'key_local.A-b_9='],
    ]),
  ).toBe('PLATFORM_URL=https://platform.example:8443\nPLATFORM_API_KEY=key_local.A-b_9=\n')
})

test('formatEnvFile quotes values that a shell would change', () => {
  expect(formatEnvFile([['NAME', "a b $HOME 'c'"]])).toBe("NAME='a b $HOME '\\''c'\\'''\n")
})
