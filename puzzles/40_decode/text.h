// The text that the little model was trained on (train.py), and on which its perplexity is taken. ASCII: a
// token is a byte.
#pragma once

inline constexpr char kText[] =
    R"TEXT(The ferry leaves the island at six in the morning, and the first on board is always the baker. She carries two baskets of warm bread, one for the harbour office and one for the crew. The crew pay with coffee. Nobody has ever written this down, and nobody has ever forgotten it.

The crossing takes forty minutes when the sea is calm. When the wind comes from the north it takes an hour, and the captain steers a wide curve around the old lighthouse, where the water is deep. The lighthouse has not been lit for thirty years. A painter lives in it now. He paints the ferry twice a day, once on its way out and once on its way back, and he says that no two of his pictures show the same boat.

In winter there are days when the ferry does not leave at all. Then the island is quiet, and the people do what they have put off. They mend nets, they sharpen knives, they write letters that will wait on the pier until the wind turns. The baker still bakes, but only one basket. The children carry it from door to door, and at each door somebody asks them what the sea looks like. They always say the same thing: it looks like the sea.

The engine of the ferry is older than the captain. It was built for a tug, and it has the patience of a tug. The engineer knows every sound it makes. She can tell from her bed, with the window closed, whether the third cylinder is warm. Once a year a young man from the mainland comes to look at it. He brings a machine that listens, and the machine shows him a line that goes up and down. The engineer looks at the line and says: that is the third cylinder, and it is warm.

On the last boat of the evening there are few people and many boxes. There is flour for the baker, paint for the painter, oil for the engine, and paper for the letters of the winter. The captain counts the boxes, and the engineer counts them again. Then the rope is thrown, the lamp is lit, and the ferry turns its bow to the island, slowly, as if it had all the time there is.
)TEXT";
