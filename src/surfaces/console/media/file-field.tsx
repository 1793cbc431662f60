import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import { MEDIA_TYPES } from "../../../domain/pictures.ts";

export const FileField: FC = () => (
  <div class="field">
    <label for="file">Image</label>
    <p class="hint" id="file-hint">
      PNG, JPEG, GIF, WebP or AVIF, up to {LIMITS.mediaBytes / 1024 / 1024} MiB. Location data is removed.
    </p>
    <input id="file" name="file" type="file" accept={MEDIA_TYPES.join(",")} required aria-describedby="file-hint" />
  </div>
);
