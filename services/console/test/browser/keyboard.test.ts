import { afterAll, beforeAll } from '@jest/globals'
import { describeInChromium } from '@wp/testkit/chromium'
import { type KeyboardUser, openFilledWorkspace } from './fixture/keyboard.ts'
import { describeAnalyst } from './keyboard/analyst.ts'
import { describeDeveloper } from './keyboard/developer.ts'
import { describeNavigation } from './keyboard/navigation.ts'

let user: KeyboardUser

// In one suite, because a workspace takes longer to fill than most of these tasks.
describeInChromium('by the keyboard alone', () => {
  beforeAll(async () => {
    user = await openFilledWorkspace()
  })
  afterAll(() => user?.fleet.stop())

  describeAnalyst(() => user)
  describeDeveloper(() => user)
  describeNavigation(() => user)
})
