import { insertBaseAddress, startContents, startCopyButtons, startTabs } from './article.ts'
import { startDrawer, startThemeButton } from './frame.ts'
import { startSearch } from './search/search-dialog.ts'

insertBaseAddress(location.origin)
startTabs()
startCopyButtons()
startThemeButton()
startDrawer()
startContents()
startSearch()
