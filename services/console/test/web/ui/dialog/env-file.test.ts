import { expect, test } from '@jest/globals'
import { formatEnvFile } from '../../../../web/src/ui/dialog/env-file.ts'

test('formatEnvFile writes a line for each variable', () => {
  expect(
    formatEnvFile([
      ['WP_BASE_URL', 'https://platform.example:8443'],
      ['WP_API_KEY', 'key_local.A-b_9='],
    ]),
  ).toBe('WP_BASE_URL=https://platform.example:8443\nWP_API_KEY=key_local.A-b_9=\n')
})

test('formatEnvFile quotes values that a shell would change', () => {
  expect(formatEnvFile([['NAME', "a b $HOME 'c'"]])).toBe("NAME='a b $HOME '\\''c'\\'''\n")
})
