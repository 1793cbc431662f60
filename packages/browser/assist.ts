/** Help of the configured model on the editor's pages. Only loaded if there is one. */
import { offerPassages } from "./aids/passage.ts";
import { offerSuggestions } from "./aids/suggestions.ts";

offerPassages();
offerSuggestions();
