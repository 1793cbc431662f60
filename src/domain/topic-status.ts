/** "used": it became an article. "dismissed": a person decided against it. */
export const TOPIC_STATUSES = ["new", "used", "dismissed"] as const;

export type TopicStatus = (typeof TOPIC_STATUSES)[number];
