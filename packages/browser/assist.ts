/** AI help on the editor's pages. Loaded only if a model is configured. */
import { offerPassages } from "./aids/passage.ts";
import { offerSuggestions } from "./aids/suggestions.ts";

offerPassages();
offerSuggestions();
