import { insertBaseAddress } from './base-address.ts'
import { startContents } from './contents.ts'
import { startCopyButtons } from './copy-buttons.ts'
import { startDrawer } from './drawer.ts'
import { startSearch } from './search/search-dialog.ts'
import { startTabs } from './tabs.ts'
import { startThemeButton } from './theme-button.ts'

insertBaseAddress(location.origin)
startTabs()
startCopyButtons()
startThemeButton()
startDrawer()
startContents()
startSearch()
